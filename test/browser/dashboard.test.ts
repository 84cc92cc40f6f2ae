import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { boxOf, describeInBrowser, logIn, visit } from '../support/browser.ts';
import { type SharedDemo, sharedDemo } from '../support/run-demo.ts';

interface ShopTile {
  id: string;
  name: string;
}

interface TileAnswer {
  ref: string;
  rows?: (string | number | null)[][];
}

describeInBrowser('a dashboard', () => {
  let demo: SharedDemo;
  let shop: { id: string; tiles: ShopTile[] };
  /** A stretch of the past, which no longer changes. */
  let fromMs: number;
  let toMs: number;

  beforeAll(async () => {
    demo = await sharedDemo();
    const boards = await call<(typeof shop & { name: string })[]>('GET', '/dashboards');
    const found = boards.find(({ name }) => name === 'Shop');
    if (!found) throw new Error('the demo has no dashboard Shop');
    shop = found;
    fromMs = demo.settledUntilMs - 1_800_000;
    toMs = demo.settledUntilMs;
  });

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const headers = { authorization: `Bearer ${demo.key}`, 'content-type': 'application/json' };
    const answer = await fetch(demo.api + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    return ((await answer.json()) as { data: T }).data;
  }

  async function open(page: Page): Promise<void> {
    await logIn(page, demo);
    await page.goto(`/dashboards/${shop.id}?from=${fromMs}&to=${toMs}`);
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
  }

  const tileOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).first();

  it('the numbers on the screen are those of the API', async () => {
    const tiles = shop.tiles.map((tile) => ({ ref: tile.name, tile }));
    const body = { startTime: fromMs, endTime: toMs, granularity: 'auto', tiles };
    const answers = await call<TileAnswer[]>('POST', '/charts/tiles', body);
    const rowsOf = (name: string) => answers.find(({ ref }) => ref === name)?.rows ?? [];
    const { page } = await visit(demo.web);
    await open(page);
    for (const name of ['Orders', 'Requests', 'Open carts']) {
      const value = Number(rowsOf(name)[0]?.at(-1));
      expect(value, name).toBeGreaterThan(0);
      await tileOf(page, name).getByText(value.toLocaleString('en-US'), { exact: true }).waitFor();
    }
    const share = Number(rowsOf('Failed requests')[0]?.at(-1));
    await tileOf(page, 'Failed requests')
      .getByText(`${(share * 100).toFixed(1)}%`, { exact: true })
      .waitFor();
    const slowest = rowsOf('Slowest routes');
    expect(slowest.length).toBeGreaterThan(5);
    const lines = tileOf(page, 'Slowest routes').getByRole('row');
    await expect.poll(() => lines.count()).toBe(slowest.length + 1);
    for (const row of slowest) {
      const count = Number(row.at(-1)).toLocaleString('en-US');
      const line = lines.filter({ has: page.getByRole('cell', { name: String(row[1]), exact: true }) });
      const same = line.filter({ has: page.getByRole('cell', { name: String(row[0]), exact: true }) });
      const last = same.getByRole('cell').nth(row.length - 1);
      await expect.poll(() => last.textContent(), { message: row.join(' ') }).toBe(count);
    }
  });

  it('dragging over one chart changes the range of the whole dashboard', async () => {
    const { page } = await visit(demo.web);
    await open(page);
    const numbers = tileOf(page, 'Requests');
    await numbers.getByText(/^[\d,]+$/).waitFor();
    const before = await numbers.textContent();
    const plot = tileOf(page, 'Requests by route').locator('.u-over');
    const box = await boxOf(plot);
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * 0.5, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.75, y, { steps: 8 });
    await page.mouse.up();
    const from = () => Number(new URL(page.url()).searchParams.get('from'));
    const middleMs = fromMs + (toMs - fromMs) / 2;
    await expect.poll(() => Math.abs(from() - middleMs)).toBeLessThan(180_000);
    await expect
      .poll(async () => [await numbers.getByText(/^[\d,]+$/).count(), (await numbers.textContent()) !== before])
      .toEqual([1, true]);
  });

  it('is found in the list by its name, and opens from there', async () => {
    const { page } = await visit(demo.web);
    await logIn(page, demo);
    await page.goto('/');
    const list = page.getByRole('link', { name: 'Shop', exact: true });
    await list.waitFor();
    await page.getByLabel('Search dashboards').fill('no such dashboard');
    await expect.poll(() => list.count()).toBe(0);
    await page.getByLabel('Search dashboards').fill('sho');
    await list.click();
    await page.waitForURL(`**/dashboards/${shop.id}**`);
    await tileOf(page, 'About').getByText('the bank behind').waitFor();
  });
});
