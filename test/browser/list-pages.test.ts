import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeInBrowser, holdWidth, logIn, visit } from '../support/browser.ts';
import { gate } from '../support/gate.ts';
import { makeOnCallAlerts } from '../support/on-call-alerts.ts';
import { acme, type RunningProgram, startProgram } from '../support/start-program.ts';

const [ada] = acme.teams[0]?.users ?? [];
const longName = 'Payments of the provider integration in the european region';

interface ListPage {
  name: string;
  path: (dashboardId: string) => string;
  /** What the list is read from, below the API's prefix. */
  reads: RegExp;
  /** A text in a row. */
  row: string;
}

const lists: ListPage[] = [
  { name: 'dashboards', path: () => '/dashboards', reads: /^\/dashboards$/, row: 'Checkout' },
  { name: 'deleted dashboards', path: () => '/dashboards/deleted', reads: /^\/deleted-dashboards$/, row: 'Restore' },
  { name: 'versions', path: (id) => `/dashboards/${id}/versions`, reads: /\/versions$/, row: 'Compare' },
  { name: 'alerts', path: () => '/alerts', reads: /^\/alerts$/, row: 'Acknowledge' },
  { name: 'silences', path: () => '/silences', reads: /^\/silences$/, row: 'Edit' },
  { name: 'webhooks', path: () => '/webhooks', reads: /^\/webhooks$/, row: 'Test' },
  { name: 'sources', path: () => '/sources', reads: /^\/sources$/, row: 'Logs' },
  { name: 'personal keys', path: () => '/settings', reads: /^\/keys$/, row: 'Revoke' },
];

describeInBrowser('the pages of lists', () => {
  let program: RunningProgram;
  let dashboardId = '';

  beforeAll(async () => {
    program = await startProgram();
    const call = async (method: string, path: string, body?: unknown) => {
      const { status, json } = await program.call(method, `/api/v2${path}`, body);
      expect(status, JSON.stringify(json)).toBe(200);
      return (json as { data: { id: string } }).data;
    };
    const values = [1, 2, 300];
    await makeOnCallAlerts(program, [{ name: longName, status: 'ALERT', values, delivery: 'failing' }], Date.now());
    dashboardId = (await call('POST', '/dashboards', { name: longName, tiles: [], tags: ['payments', 'europe'] })).id;
    await call('PUT', `/dashboards/${dashboardId}`, { name: `${longName}, renamed`, tiles: [] });
    const { id } = await call('POST', '/dashboards', { name: `${longName}, deleted`, tiles: [] });
    await program.call('DELETE', `/api/v2/dashboards/${id}`);
    const times = { startsAt: '2026-01-01T00:00:00Z', endsAt: '2026-01-01T01:00:00Z' };
    await call('POST', '/silences', { name: longName, match: {}, ...times });
    await call('POST', '/webhooks', { name: longName, service: 'generic', url: 'https://example.com/a/long/path' });
  });

  afterAll(() => program?.stop());

  async function visitor(width: number): Promise<Page> {
    const { page } = await visit(program.addresses.web);
    await page.setViewportSize({ width, height: 900 });
    await logIn(page, { email: ada?.email ?? '', password: ada?.password ?? '' });
    return page;
  }

  const rowOf = (page: Page, { row }: ListPage) =>
    page.locator('main tbody').getByRole('row').filter({ hasText: row }).first();

  it.each(lists)(
    '$name at 390 px: what can be pressed in a row is in view, without scrolling sideways',
    async (list) => {
      const page = await visitor(390);
      await page.goto(list.path(dashboardId));
      await rowOf(page, list).waitFor();
      await holdWidth(page, list.name);
      expect(await page.evaluate(pressedOutOfView)).toEqual([]);
      expect(await rowOf(page, list).locator('a, button, input').count()).toBeGreaterThan(0);
    },
  );

  describe.each([1440, 390])('at %d px', (width) => {
    it.each(lists)('the head of the list of $name stands where it will stand while its rows are read', async (list) => {
      const page = await visitor(width);
      const answers = gate();
      const isRead = ({ pathname }: URL) =>
        list.reads.test(pathname.replace('/api/v2', '')) && pathname.startsWith('/api');
      await page.route(isRead, async (route) => {
        await answers.passed;
        await route.continue();
      });
      await page.goto(list.path(dashboardId));
      const shapes = page.locator('main tbody .mantine-Skeleton-root:visible');
      await shapes.first().waitFor();
      const table = page.locator('main table').filter({ has: shapes.first() });
      const height = await shapes.first().locator('xpath=ancestor::tr').boundingBox();
      expect(height?.height).toBeGreaterThanOrEqual(32);
      expect(height?.height).toBeLessThanOrEqual(34);
      const before = await headOf(page);
      answers.open();
      await rowOf(page, list).waitFor();
      await expect.poll(() => table.count()).toBe(0);
      expect(await headOf(page)).toEqual(before);
    });
  });
});

/** Place and size of the first list on the page, without its rows. */
function headOf(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const table = document.querySelector('main table');
    const { x, y, width } = table.getBoundingClientRect();
    return { x, y, width, head: table.querySelector('thead')?.getBoundingClientRect().height };
  })()`);
}

/** Controls of rows that reach beyond the window or the box that scrolls them. */
const pressedOutOfView = `[...document.querySelectorAll('main tbody :is(a, button, input)')]
  .filter((control) => control.checkVisibility())
  .filter((control) => {
    const { left, right } = control.getBoundingClientRect();
    const box = control.closest('.mantine-ScrollArea-viewport')?.getBoundingClientRect();
    return left < (box?.left ?? 0) - 1 || right > Math.min(box?.right ?? innerWidth, innerWidth) + 1;
  })
  .map((control) => control.outerHTML.slice(0, 120))`;
