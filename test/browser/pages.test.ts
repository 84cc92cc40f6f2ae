import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  accessibilityViolations,
  describeInBrowser,
  holdReachable,
  holdWidth,
  logIn,
  visit,
} from '../support/browser.ts';
import { type SharedDemo, sharedDemo } from '../support/run-demo.ts';
import { type RunningProgram, startProgram } from '../support/start-program.ts';

const looks = [
  { scheme: 'light', width: 1440 },
  { scheme: 'dark', width: 1440 },
  { scheme: 'light', width: 390 },
] as const;

/** `first` means the first one that the demo created. */
const pages = [
  'dashboards',
  'dashboards/first',
  'search',
  'traces/first',
  'alerts',
  'alerts/first',
  'alerts/new',
  'silences',
  'webhooks',
  'sources',
  'sources/first',
  'settings',
  'account',
];

async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  // Not the network: pages that watch something are never idle on a slow machine.
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
}

/** The page needs no sideways scrolling, nothing on it lies where nothing scrolls to, and axe finds nothing serious or critical (WCAG 2.1 AA). */
async function holdPage(page: Page, path: string): Promise<void> {
  await holdWidth(page, path);
  await holdReachable(page, path);
  // Instants as the API writes them are of another zone than the page.
  expect.soft(await page.evaluate<string>('document.body.innerText'), path).not.toMatch(/\d{4}-\d{2}-\d{2}T\d{2}:/);
  expect.soft(await accessibilityViolations(page), path).toEqual([]);
}

describeInBrowser('every main page is accessible in both colour schemes and on a telephone', () => {
  describe('self-hosted', () => {
    let demo: SharedDemo;
    let page: Page;

    beforeAll(async () => {
      demo = await sharedDemo();
      // One visitor for all pages: each further page comes from the cache of the browser.
      ({ page } = await visit(demo.web, { until: afterAll }));
      await logIn(page, demo);
    });

    it.each(pages)('%s', async (path) => {
      await page.goto(await pathOf(demo, path));
      await settle(page);
      // One page in all looks: to load it anew for each would be most of the time.
      for (const { scheme, width } of looks) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 900 });
        await settle(page);
        await holdPage(page, `${path}, ${scheme}, ${width} px`);
      }
    });

    it('what opens above a page fits a telephone, is accessible, and starts where one types', async () => {
      const { page } = await visit(demo.web);
      await logIn(page, demo);
      await page.setViewportSize({ width: 390, height: 900 });
      const board = await pathOf(demo, 'dashboards/first');
      const name = page.getByRole('textbox', { name: 'Name', exact: true });
      const above = [
        { path: board, opener: /^Last /, first: page.getByRole('textbox', { name: 'From' }) },
        { path: board, opener: 'More', first: page.getByRole('menuitem', { name: 'Filters' }) },
        { path: board, opener: 'Add tile', first: name },
        { path: '/webhooks', opener: 'New webhook', first: name },
        { path: '/silences', opener: 'New silence', first: name },
        { path: '/sources', opener: 'New source', first: page.getByRole('menuitem', { name: 'Traces' }) },
        { path: '/settings', opener: 'New ingestion key', first: name },
      ];
      for (const { path, opener, first } of above) {
        await page.goto(path);
        await settle(page);
        await page.getByRole('button', { name: opener }).press('Enter');
        await first.waitFor();
        // Of a menu the first item is left behind by the arrow.
        if ((await first.getAttribute('role')) === 'menuitem') await page.keyboard.press('ArrowDown');
        await first.and(page.locator(':focus')).waitFor();
        await holdPage(page, `${path}, ${opener}`);
      }
    });

    it('/login', async () => {
      const { page } = await visit(demo.web);
      await page.goto('/login');
      await page.getByLabel('Email').waitFor();
      await holdPage(page, '/login');
    });
  });

  describe('managed', () => {
    const organization = '11111111-2222-4333-8444-555555555555';
    const service = '66666666-7777-4888-8999-aaaaaaaaaaaa';
    let program: RunningProgram;

    beforeAll(async () => {
      const services = [{ id: service, name: 'production' }];
      program = await startProgram({
        provisioning: { organizations: [{ id: organization, name: 'Acme', services }] },
        env: { SIGNALBOX_FLAVOUR: 'managed' },
      });
      const answer = await fetch(`${program.addresses.web}/v1/account`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify(person),
      });
      expect(answer.status, await answer.text()).toBe(200);
    });

    afterAll(() => program?.stop());

    const person = { email: 'ada@example.com', password: 'an-uncommon-password' };
    const below = `/organizations/${organization}`;

    it('its pages', async () => {
      const { page } = await visit(program.addresses.web);
      await logIn(page, person);
      for (const path of ['/organizations', below, `${below}/services/${service}`, '/account']) {
        await page.goto(path);
        await settle(page);
        await holdPage(page, path);
      }
    });
  });
});

async function pathOf({ api, key, settledUntilMs }: SharedDemo, path: string): Promise<string> {
  const [kind, which] = path.split('/');
  if (which !== 'first') return `/${path}`;
  const list = async (name: string, body?: object) => {
    const answer = await fetch(`${api}/${name}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return ((await answer.json()) as { data: Record<string, string>[] }).data;
  };
  if (kind !== 'traces') return `/${kind}/${(await list(kind ?? ''))[0]?.id}`;
  const source = (await list('sources')).find((each) => each.kind === 'trace');
  const where = 'ServiceName:"payment" StatusCode:Error';
  const iso = (ms: number) => new Date(ms).toISOString();
  const range = { startTime: iso(settledUntilMs - 1_200_000), endTime: iso(settledUntilMs) };
  const [span] = await list('search', { ...range, sourceId: source?.id, where, select: 'TraceId' });
  if (!span) throw new Error('no payment has failed in the demo');
  return `/traces/${span.TraceId}`;
}
