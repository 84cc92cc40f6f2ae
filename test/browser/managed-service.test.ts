import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  accessibilityViolations,
  describeInBrowser,
  holdReachable,
  holdWidth,
  logIn,
  logInByPage,
  passwordField,
  visit,
} from '../support/browser.ts';
import { startSdk } from '../support/otel-sdk.ts';
import { type RunningProgram, startProgram } from '../support/start-program.ts';

const organization = '11111111-2222-4333-8444-555555555555';
const production = '66666666-7777-4888-8999-aaaaaaaaaaaa';
const staging = '77777777-7777-4888-8999-bbbbbbbbbbbb';
const pipe = '88888888-7777-4888-8999-cccccccccccc';
const keys = { production: 'ingest-production-0123456789', staging: 'ingest-staging-0123456789' };
const person = { email: 'ada@example.com', password: 'an-uncommon-password' };
const pagesOf = (service: string) => `/organizations/${organization}/services/${service}`;

const acme = {
  id: organization,
  name: 'Acme',
  services: [
    {
      id: production,
      name: 'production',
      ingestionKeys: [{ name: 'default', key: keys.production }],
      webhooks: [{ name: 'ops', service: 'generic', url: 'https://example.com/hook' }],
      pipes: [
        {
          ...{ id: pipe, name: 'orders', state: 'Stopped' },
          source: { objectStorage: { url: 'https://acme.example/orders.json', format: 'JSONEachRow' } },
          destination: { table: 'orders', columns: [{ name: 'id', type: 'UInt64' }] },
        },
      ],
    },
    { id: staging, name: 'staging', ingestionKeys: [{ name: 'default', key: keys.staging }] },
  ],
};

describeInBrowser('the pages of a managed service', () => {
  let program: RunningProgram;
  let trace = '';

  beforeAll(async () => {
    program = await startProgram({
      provisioning: { organizations: [acme] },
      env: { SIGNALBOX_FLAVOUR: 'managed' },
    });
    await signUp(program);
    trace = await sendTelemetry();
  });

  afterAll(() => program?.stop());

  /** Logs and a trace of a shop, to production alone; answers the id of the trace. */
  async function sendTelemetry(): Promise<string> {
    const sdk = startSdk('http/protobuf', {
      ...program.addresses,
      ingestionKey: keys.production,
      serviceName: 'checkout',
    });
    for (let index = 0; index < 40; index++) sdk.logger.emit({ severityText: 'error', body: 'payment declined' });
    const span = sdk.tracer.startSpan('POST /orders', { kind: 1 });
    span.end();
    await sdk.flush();
    await sdk.shutdown();
    return span.spanContext().traceId;
  }

  /** As the pages ask, with the session of this browser. */
  async function call<T>(page: Page, method: string, path: string, body?: object): Promise<T> {
    const answer = await page.context().request.fetch(`/v1${pagesOf(production)}/stack/${path}`, {
      method,
      headers: { 'sec-fetch-site': 'same-origin' },
      ...(body ? { data: body } : {}),
    });
    expect(answer.status(), await answer.text()).toBe(200);
    return ((await answer.json()) as { result: T }).result;
  }

  it('log in → organization → service → dashboard with a line → alert; another service has none of it', async () => {
    const { page } = await visit(program.addresses.web);
    await logInByPage(page, person);
    await page.getByRole('link', { name: 'Acme' }).click();
    await page.getByRole('table', { name: 'Services' }).getByRole('link', { name: 'production' }).click();
    await page.getByRole('heading', { level: 1, name: 'production' }).waitFor();
    const main = page.getByRole('navigation', { name: 'Main' });
    await main.getByRole('link', { name: 'Dashboards' }).click();
    await page.getByRole('button', { name: 'New dashboard' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'New dashboard' }).waitFor();
    await page.getByRole('button', { name: 'Add tile' }).first().click();
    const editor = page.getByRole('dialog');
    await editor.getByRole('textbox', { name: 'Name' }).fill('Declined');
    await editor.getByRole('button', { name: 'Apply' }).click();
    const tile = page.getByRole('region', { name: 'Declined' });
    await tile.getByRole('img').locator('canvas').waitFor();
    await expect.poll(() => page.evaluate<number>(drawnPixels), { message: 'pixels of the line' }).toBeGreaterThan(50);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Dashboard saved.').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    const dashboard = new URL(page.url()).pathname;
    expect(dashboard).toMatch(new RegExp(`^${pagesOf(production)}/dashboards/[0-9a-f]{24}$`));

    await page.getByRole('button', { name: 'Actions for Declined' }).click();
    // Keys have no operation for tiles: there is no command to copy.
    expect(await page.getByRole('menuitem', { name: 'Copy as curl' }).count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Alert' }).click();
    await page.getByRole('heading', { level: 1, name: 'New alert' }).waitFor();
    await page.getByRole('textbox', { name: 'Threshold', exact: true }).fill('5');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Many declined');
    await page.getByRole('combobox', { name: 'Channels' }).click();
    await page.getByRole('option', { name: 'ops' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Many declined' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(new RegExp(`^${pagesOf(production)}/alerts/[0-9a-f]{24}$`));
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(command).toContain(`${program.addresses.web}/v1${pagesOf(production)}/stack/alerts/`);
    expect(command).toContain('-u "$KEY_ID:$KEY_SECRET"');
    expect(await accessibilityViolations(page)).toEqual([]);

    await page.getByRole('link', { name: 'Acme' }).click();
    await page.getByRole('table', { name: 'Services' }).getByRole('link', { name: 'staging' }).click();
    await page.getByRole('heading', { level: 1, name: 'staging' }).waitFor();
    await main.getByRole('link', { name: 'Alerts' }).click();
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    await page.getByText('No alerts yet').waitFor();
    await main.getByRole('link', { name: 'Dashboards' }).click();
    await page.getByText('No dashboards yet').waitFor();
    expect(await page.getByText('Declined').count()).toBe(0);
  });

  describe('every page is there, accessible and without a failed request, wide and on a telephone', () => {
    let page: Page;
    let objects: Record<string, string>;

    beforeAll(async () => {
      // One visitor for all pages: each further page comes from the cache of the browser.
      ({ page } = await visit(program.addresses.web, { until: afterAll }));
      await logIn(page, person);
      objects = await makeObjects(page);
    });

    it.each(pathsOfPages())('%s', async (path) => {
      await page.goto(pagesOf(production) + fill(path, objects));
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        const title = page.getByRole('heading', { level: 1 }).first();
        await title.waitFor();
        await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
        const where = `${path} at ${width} px`;
        expect.soft(await title.textContent(), where).not.toBe('Page not found');
        expect.soft(await page.getByRole('alert').allTextContents(), where).toEqual([]);
        expect.soft(await page.evaluate<string>('document.body.innerText'), where).not.toMatch(/\bteam\b/i);
        await holdWidth(page, where);
        await holdReachable(page, where);
        expect.soft(await accessibilityViolations(page), where).toEqual([]);
      }
    });
  });

  /** One of everything that a page shows by its id. */
  async function makeObjects(page: Page): Promise<Record<string, string>> {
    const sources = await call<{ id: string; kind: string }[]>(page, 'GET', 'sources');
    const source = sources.find(({ kind }) => kind === 'log')?.id ?? '';
    const series = { sourceId: source, aggFn: 'count', where: '', groupBy: [] };
    const board = await call<{ id: string; tiles: { id: string }[] }>(page, 'POST', 'dashboards', {
      name: 'Shop',
      tiles: [{ name: 'Events', series: [series] }],
    });
    await call(page, 'PUT', `dashboards/${board.id}`, { tags: ['shop'] });
    const search = await call<{ id: string }>(page, 'POST', 'saved-searches', { name: 'Events', sourceId: source });
    const [webhook] = await call<{ id: string }[]>(page, 'GET', 'webhooks');
    const alert = await call<{ id: string }>(page, 'POST', 'alerts', {
      ...{ dashboardId: board.id, tileId: board.tiles[0]?.id, source: 'tile', interval: '1h' },
      ...{ threshold: 1, thresholdType: 'above', channel: { type: 'webhook', webhookId: webhook?.id } },
    });
    await call(page, 'PUT', `favourite-dashboards/${board.id}`);
    return {
      dashboardId: board.id,
      savedSearchId: search.id,
      alertId: alert.id,
      sourceId: source,
      traceId: trace,
      service: 'checkout',
      pipeId: pipe,
    };
  }
});

/** Of the routes themselves, so that no page is forgotten. */
function pathsOfPages(): string[] {
  const routes = ['frame.tsx', 'service-pages.ts', 'telemetry-pages.ts'].map((name) =>
    readFileSync(join(import.meta.dirname, '../../web/src/routes', name), 'utf8'),
  );
  const paths = routes.flatMap((text) => [...text.matchAll(/\bpage\(\s*'([^']*)'/g)].map(([, path = '']) => path));
  if (paths.length < 25) throw new Error('the routes are declared in another way');
  return paths;
}

function fill(path: string, objects: Record<string, string>): string {
  return path.replace(/\$(\w+)/g, (_, name: string) => {
    const value = objects[name];
    if (value === undefined) throw new Error(`nothing was made for $${name} in ${path}`);
    return value;
  });
}

/** In the first chart: points that have the colour of a series, not of the grid or the axes. */
const drawnPixels = `(() => {
  const canvas = document.querySelector('[role=img] canvas');
  if (!canvas) return 0;
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let count = 0;
  for (let at = 0; at < data.length; at += 4) {
    const [r, g, b, a] = data.slice(at, at + 4);
    if (a > 200 && Math.max(r, g, b) - Math.min(r, g, b) > 60) count++;
  }
  return count;
})()`;

describeInBrowser('a managed service below a sub-path', () => {
  const below = '/watch';
  let program: RunningProgram;

  beforeAll(async () => {
    program = await startProgram({
      provisioning: { organizations: [acme] },
      env: { SIGNALBOX_FLAVOUR: 'managed', SIGNALBOX_PUBLIC_URL: `http://watch.example${below}` },
    });
    await signUp(program);
  });

  afterAll(() => program?.stop());

  const addressOf = (page: Page) => {
    const { pathname, search } = new URL(page.url());
    return pathname + search;
  };

  it('a link asks for the log-in and leads to its page, which asks again when the session has ended', async () => {
    const { page, context } = await visit(program.addresses.web, { console: ['401'] });
    const address = `${below}${pagesOf(production)}/alerts?state=ALERT`;
    await page.goto(address);
    await page.getByLabel('Email').fill(person.email);
    expect(new URL(page.url()).pathname).toBe(`${below}/login`);
    await passwordField(page).fill(person.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    expect(addressOf(page)).toBe(address);

    await context.clearCookies();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Webhooks' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await passwordField(page).fill(person.password);
    await dialog.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('cell', { name: 'ops', exact: true }).waitFor();
    expect(addressOf(page)).toBe(`${below}${pagesOf(production)}/webhooks`);
  });

  it('the palette leads to another service and out; keys lead to sections; logging out leads to the log-in', async () => {
    const { page } = await visit(program.addresses.web);
    await logIn(page, person);
    await page.goto(`${below}${pagesOf(production)}`);
    const title = (name: string) => page.getByRole('heading', { level: 1, name });
    const jump = async (text: string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /^Jump to/ }).fill(text);
      // Events with the text are offered from the beginning, below what has this name once that is known.
      await page
        .getByRole('option')
        .filter({ hasText: text })
        .filter({ hasNotText: 'Search events' })
        .first()
        .waitFor();
      await page.keyboard.press('Enter');
    };
    await title('production').waitFor();
    await jump('staging');
    await title('staging').waitFor();
    expect(addressOf(page)).toBe(below + pagesOf(staging));
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await title('Pipes').waitFor();
    expect(addressOf(page)).toBe(`${below}${pagesOf(staging)}/pipes`);
    await page.getByText('No pipes').waitFor();
    await jump('Acme');
    await title('Acme').waitFor();
    expect(addressOf(page)).toBe(`${below}/organizations/${organization}`);
    await page.goBack();
    await title('Pipes').waitFor();
    await page.getByRole('button', { name: /^Account / }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByLabel('Email').waitFor();
    expect(new URL(page.url()).pathname).toBe(`${below}/login`);
  });
});

async function signUp({ addresses }: RunningProgram): Promise<void> {
  const answer = await fetch(`${addresses.web}/v1/account`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify(person),
  });
  expect(answer.status, await answer.text()).toBe(200);
}
