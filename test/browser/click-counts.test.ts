import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { boxOf, describeInBrowser, eventRows, logIn, visit } from '../support/browser.ts';
import { type SharedDemo, sharedDemo } from '../support/run-demo.ts';

interface Board {
  id: string;
  tiles: { id: string; name: string; config: { displayType: string } }[];
}

interface Answer {
  granularityMs: number;
  series: { points: [number, number][] }[];
}

describeInBrowser('how many clicks the usual work takes', () => {
  let demo: SharedDemo;

  beforeAll(async () => {
    demo = await sharedDemo();
  });

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const headers = { authorization: `Bearer ${demo.key}`, 'content-type': 'application/json' };
    const answer = await fetch(demo.api + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    return ((await answer.json()) as { data: T }).data;
  }

  /** Clicks that the browser itself has seen, over all pages of a visit; a button pressed by its key is one. */
  async function countedVisit(): Promise<{ page: Page; clicks: () => number }> {
    const { page, context } = await visit(demo.web);
    let clicks = 0;
    await page.exposeFunction('countClick', () => {
      clicks += 1;
    });
    await page.addInitScript(`addEventListener('click', (event) => event.isTrusted && countClick(), true)`);
    await logIn(page, demo);
    expect(context.pages()).toHaveLength(1);
    return { page, clicks: () => clicks };
  }

  it('a dashboard with eight tiles of eight kinds, from nothing: at most 40', async () => {
    const { page, clicks } = await countedVisit();
    await page.goto('/dashboards');
    await page.getByRole('button', { name: 'New dashboard' }).click();
    await page.getByRole('heading', { level: 1, name: 'New dashboard' }).waitFor();
    const displays = ['Line', 'Stacked bars', 'Number', 'Table', 'Bars', 'Pie', 'Search', 'Text'];
    for (const display of displays) {
      await page.getByRole('button', { name: 'Add tile' }).click();
      const editor = page.getByRole('dialog');
      await editor.getByRole('textbox', { name: 'Name' }).fill(`Tile: ${display}`);
      await editor.getByRole('combobox', { name: 'Display' }).click();
      await page.getByRole('option', { name: display, exact: true }).click();
      await editor.getByRole('button', { name: 'Apply' }).click();
      await page
        .getByRole('region', { name: `Tile: ${display}` })
        .first()
        .waitFor();
    }
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Dashboard saved.').waitFor();
    expect(clicks()).toBeGreaterThan(displays.length);
    expect(clicks()).toBeLessThanOrEqual(40);
    const stored = await call<Board>('GET', `/dashboards/${new URL(page.url()).pathname.split('/').at(-1)}`);
    expect(new Set(stored.tiles.map(({ config }) => config.displayType)).size).toBe(displays.length);
  });

  it('from errors in a chart to the log line to its trace: at most 4', async () => {
    const sources = await call<{ id: string; kind: string }[]>('GET', '/sources');
    const sourceId = sources.find(({ kind }) => kind === 'log')?.id;
    const select = [{ aggFn: 'count', where: 'SeverityText:error' }];
    const config = { displayType: 'stacked_bar', sourceId, select, groupBy: 'ServiceName' };
    const tiles = [{ name: 'Errors', x: 0, y: 0, w: 24, h: 8, config }];
    const board = await call<Board>('POST', '/dashboards', { name: 'Clicks', tiles });
    const [startTime, endTime] = [demo.settledUntilMs - 1_800_000, demo.settledUntilMs];
    const chart = { startTime, endTime, tiles: [{ ref: 'x', tile: tiles[0] }] };
    const [answer] = await call<Answer[]>('POST', '/charts/tiles', chart);
    const [bucketMs = 0] = answer?.series[0]?.points.toSorted((a, b) => b[1] - a[1])[0] ?? [];
    const { page, clicks } = await countedVisit();
    await page.goto(`/dashboards/${board.id}?from=${startTime}&to=${endTime}`);
    const tile = page.getByRole('region', { name: 'Errors', exact: true }).first();
    await tile.getByRole('button', { name: 'payment', exact: true }).waitFor();
    const plot = await boxOf(tile.locator('.u-over'));
    const share = (bucketMs + 0.8 * (answer?.granularityMs ?? 0) - startTime) / (endTime - startTime);
    await page.mouse.click(plot.x + share * plot.width, plot.y + plot.height - 3);
    await page.getByRole('menuitem', { name: 'Show events' }).click();
    await eventRows(page).first().click();
    await page.getByRole('dialog').getByRole('link', { name: 'View trace' }).click();
    await page.getByRole('tree', { name: 'Spans' }).waitFor();
    expect(clicks()).toBeGreaterThan(0);
    expect(clicks()).toBeLessThanOrEqual(4);
  });
});
