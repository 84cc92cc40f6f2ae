import { beforeAll, expect, it } from 'vitest';
import { accessibilityViolations, describeInBrowser, logIn, visit } from '../support/browser.ts';
import { type SharedDemo, sharedDemo } from '../support/run-demo.ts';

const rowsTotal = 5_000;
const seriesTotal = 1_000;
/** What a tile draws at most of a long answer, whatever its length. */
const drawnMax = 250;

const nameOf = (index: number) => `user-${String(index).padStart(4, '0')}`;

describeInBrowser('tiles with long answers', () => {
  let demo: SharedDemo;
  let path: string;

  beforeAll(async () => {
    demo = await sharedDemo();
    const tiles = ['table', 'line', 'bar', 'pie'].map((displayType, index) => ({
      ...{ name: displayType, x: (index % 2) * 12, y: Math.floor(index / 2) * 10, w: 12, h: 10 },
      config: { displayType, sourceId: '', select: [{ aggFn: 'count' }], groupBy: 'ServiceName' },
    }));
    const headers = { authorization: `Bearer ${demo.key}`, 'content-type': 'application/json' };
    const send = async <T>(apiPath: string, body?: object) => {
      const request = { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) };
      return ((await (await fetch(demo.api + apiPath, request)).json()) as { data: T }).data;
    };
    const sources = await send<{ id: string; kind: string }[]>('/sources');
    for (const { config } of tiles) config.sourceId = sources.find(({ kind }) => kind === 'log')?.id ?? '';
    const board = await send<{ id: string }>('/dashboards', { name: 'Long', tiles });
    path = `/dashboards/${board.id}`;
  });

  async function open() {
    const { page } = await visit(demo.web);
    await logIn(page, demo);
    await page.route('**/charts/tiles', async (route) => {
      const { tiles, startTime } = route.request().postDataJSON();
      const columns = [
        { name: 'user', kind: 'group' },
        { name: 'events', kind: 'value' },
      ];
      const rows = Array.from({ length: rowsTotal }, (_, index) => [nameOf(index), rowsTotal - index]);
      const series = Array.from({ length: seriesTotal }, (_, index) => ({
        ...{ name: 'events', group: [nameOf(index)], select: 0 },
        points: [0, 60_000].map((ms) => [Number(startTime) + ms, index]),
      }));
      const data = tiles.map(({ ref, tile }: { ref: string; tile: { config: { displayType: string } } }) => {
        const { displayType } = tile.config;
        const meta = { truncated: false };
        return { ref, displayType, meta, ...(displayType === 'line' ? { series } : { columns, rows }) };
      });
      await route.fulfill({ json: { data } });
    });
    await page.goto(path);
    return page;
  }

  it('a table draws the rows in sight, and reaches and sorts all of them', async () => {
    const page = await open();
    // The outer one is the tile.
    const table = page.getByRole('group', { name: 'table', exact: true });
    await table.getByRole('row', { name: nameOf(0) }).waitFor();
    expect(await table.locator('tr').count()).toBeLessThan(drawnMax);
    expect(await table.getByRole('table').getAttribute('aria-rowcount')).toBe(String(rowsTotal + 1));
    await table.focus();
    await page.keyboard.press('End');
    await table.getByRole('row', { name: nameOf(rowsTotal - 1) }).waitFor();
    expect(await table.locator('tr').count()).toBeLessThan(drawnMax);
    const last = table.getByRole('row', { name: nameOf(rowsTotal - 1) });
    expect(await last.getAttribute('aria-rowindex')).toBe(String(rowsTotal + 1));
    await page.keyboard.press('Home');
    await table.getByRole('button', { name: 'user', exact: true }).click();
    await table.getByRole('row', { name: nameOf(rowsTotal - 1) }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('a legend draws the largest series, and finds the others by name', async () => {
    const page = await open();
    const legend = page.getByRole('group', { name: 'Legend' });
    const values = legend.getByRole('button', { name: `Values of ${seriesTotal}` });
    await values.waitFor();
    expect(await legend.getByRole('listitem').count()).toBeLessThan(drawnMax);
    await values.click();
    await legend.getByText(`200 of ${seriesTotal} series. Find others by their names.`).waitFor();
    expect(await legend.getByRole('row').count()).toBeLessThan(drawnMax);
    await legend.getByRole('searchbox', { name: 'Find a series' }).fill(nameOf(7));
    await expect.poll(() => legend.getByRole('row').count()).toBe(2);
  });

  it('bars and slices draw the largest parts, and the rest as one', async () => {
    const page = await open();
    for (const name of ['bar', 'pie']) {
      const tile = page.getByRole('region', { name, exact: true }).first();
      await tile.getByRole('listitem').first().waitFor();
      expect(await tile.getByRole('listitem').count()).toBeLessThan(drawnMax);
    }
  });
});
