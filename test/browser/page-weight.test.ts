import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { beforeAll, expect, inject, it } from 'vitest';
import type { BuilderConfig } from '../../src/contract/tile-config.ts';
import { describeInBrowser, logIn, visit } from '../support/browser.ts';
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
    const tiles = tilesOf((kind) => sources.find((source) => source.kind === kind)?.id ?? '');
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

/** One of each, and what is there once it is drawn. */
function tilesOf(sourceOf: (kind: string) => string) {
  const sourceId = sourceOf('log');
  const select = [{ aggFn: 'count' }];
  const byService = { sourceId, select, groupBy: 'ServiceName' };
  const ofSpans = { sourceId: sourceOf('trace'), select: [{ valueExpression: 'Duration' }] };
  const types: Record<BuilderConfig['displayType'], { config: object; shows: string }> = {
    line: { config: byService, shows: 'canvas' },
    stacked_bar: { config: byService, shows: 'canvas' },
    table: { config: byService, shows: 'tbody tr' },
    number: { config: { sourceId, select, backgroundChart: { type: 'line' } }, shows: 'svg path' },
    pie: { config: byService, shows: 'li' },
    bar: { config: byService, shows: 'li' },
    heatmap: { config: ofSpans, shows: 'canvas' },
    search: { config: { sourceId, select: 'Timestamp, Body' }, shows: 'tbody tr' },
    event_patterns: { config: { sourceId, select: 'Body' }, shows: 'tbody tr' },
    markdown: { config: { markdown: '# About' }, shows: 'h1' },
  };
  return Object.entries(types).map(([displayType, { config, shows }], index) => ({
    tile: {
      ...{ name: displayType, x: (index % 3) * 8, y: Math.floor(index / 3) * 5, w: 8, h: 5 },
      config: { displayType, ...config },
    },
    shows,
  }));
}
