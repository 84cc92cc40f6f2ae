import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { beforeAll, expect, inject, it } from 'vitest';
import { describeInBrowser, logIn, visit } from '../support/browser.ts';
import { everyTile } from '../support/every-tile.ts';
import { type SharedDemo, sharedDemo } from '../support/run-demo.ts';

const bytesMax = 250 * 1024;
const filesMax = 15;

describeInBrowser('what a dashboard loads', () => {
  let demo: SharedDemo;

  beforeAll(async () => {
    demo = await sharedDemo();
  });

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const headers = { authorization: `Bearer ${demo.key}`, 'content-type': 'application/json' };
    const answer = await fetch(demo.api + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const text = await answer.text();
    expect(answer.status, text).toBe(200);
    return (JSON.parse(text) as { data: T }).data;
  }

  it('with every type of tile on it, is at most 250 KB of JavaScript in 15 files', async () => {
    const sources = await call<{ id: string; kind: string }[]>('GET', '/sources');
    const tiles = everyTile((kind) => sources.find((source) => source.kind === kind)?.id ?? '');
    const board = await call<{ id: string }>('POST', '/dashboards', {
      ...{ name: 'Every tile', tiles: tiles.map(({ tile }) => tile) },
    });
    const { page } = await visit(demo.web);
    await logIn(page, demo);
    const loaded = new Set<string>();
    page.on('request', (request) => {
      const [name] = /[^/]+\.js$/.exec(new URL(request.url()).pathname) ?? [];
      if (name !== undefined) loaded.add(name);
    });
    await page.goto(`/dashboards/${board.id}?from=${demo.settledUntilMs - 1_800_000}&to=${demo.settledUntilMs}`);
    for (const { tile, shows } of tiles) {
      await page.getByRole('region', { name: tile.name, exact: true }).first().locator(shows).first().waitFor();
    }
    const folder = join(inject('programFolder'), 'web/assets');
    const bytes = [...loaded].map((name) => brotliCompressSync(readFileSync(join(folder, name))).length);
    expect(loaded.size, [...loaded].join(', ')).toBeLessThanOrEqual(filesMax);
    expect(loaded.size).toBeGreaterThan(3);
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(bytesMax);
  });
});
