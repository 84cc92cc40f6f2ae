import { beforeAll, describe, expect, it } from 'vitest';
import { compileHeatmap } from '../../src/query/compile-heatmap.ts';
import type { HeatmapQuery } from '../../src/query/heatmap-query.ts';
import type { EventSourceSchema } from '../../src/query/source-schema.ts';
import { readCells } from '../../src/resources/charts/reading/heatmap-reader.ts';
import { openEngine, type TestEngine } from '../support/start-engine.ts';
import { Random } from './brute-force/random.ts';
import { guardsFor, insertRows, makeDatabase, minute, T0, traceSource } from './telemetry-fixture.ts';

const database = 'otel_heatmap';
/** Another seed makes other spans. */
const seed = 20_261_129;
const random = new Random(seed);

interface Span {
  Timestamp: number;
  ServiceName: string;
  /** Each kind of distribution is an attribute. */
  values: Record<string, string>;
}

/** What numbers look like in practice, and at the edges of what a number can be. */
const kinds: Record<string, () => number | string> = {
  durations: () => Math.round(10 ** (random.next() * 7)),
  percentages: () => random.int(0, 1000) / 10,
  powers: () => 10 ** random.int(-3, 6),
  tenths: () => random.int(1, 30) / 10,
  signed: () => random.int(-500, 500),
  withZeros: () => (random.chance(0.5) ? 0 : 10 ** random.int(0, 9)),
  zeros: () => 0,
  same: () => 5,
  sameHuge: () => 123_456_789_012_345,
  huge: () => random.pick([1.7e308, -1.7e308, 1]),
  tiny: () => random.pick([5e-324, 1e-300, 1]),
  negative: () => -(10 ** random.int(0, 6)),
  broken: () => random.pick(['NaN', 'inf', 'none', '', 3]),
};

const spans: Span[] = Array.from({ length: 400 }, () => ({
  Timestamp: T0 + random.int(0, 3_599_999),
  ServiceName: random.pick(['cart', 'shop']),
  values: Object.fromEntries(Object.entries(kinds).map(([kind, make]) => [kind, String(make())])),
}));

let engine: TestEngine;
let source: EventSourceSchema;

beforeAll(async () => {
  engine = await openEngine();
  await makeDatabase(engine, database);
  source = await traceSource(engine, database);
  await insertRows(
    engine,
    database,
    'otel_traces',
    spans.map(({ values, ...span }) => ({ ...span, SpanName: 'a', SpanAttributes: values })),
  );
});

const hour = { startMs: T0, endMs: T0 + 60 * minute };

async function heatmap(part: Partial<HeatmapQuery> & { value: string }) {
  const query: HeatmapQuery = { range: hour, granularityMs: 5 * minute, where: '', whereLanguage: 'lucene', ...part };
  const compiled = compileHeatmap(query, source, guardsFor(database));
  return readCells(await engine.queryRunner.run(compiled, { queryClass: 'interactive', timeoutMs: 60_000 }));
}

const numberOf = ({ values }: Span, kind: string): number => {
  const text = values[kind] ?? '';
  return text === '' ? Number.NaN : Number(text);
};

/** The number of spans by bucket and row. */
function slowly(kind: string, edges: readonly number[], part: Partial<HeatmapQuery>): [number, number, number][] {
  const { range = hour, granularityMs = 5 * minute } = part;
  const cells = new Map<string, [number, number, number]>();
  for (const span of spans) {
    const value = numberOf(span, kind);
    const { Timestamp: at } = span;
    if (!Number.isFinite(value) || at < range.startMs || at >= range.endMs) continue;
    if (part.where !== undefined && span.ServiceName !== 'cart') continue;
    const start = Math.floor(at / granularityMs) * granularityMs;
    const row = edges.findLastIndex((edge) => edge <= value);
    const cell = cells.get(`${start} ${row}`) ?? [start, row, 0];
    cells.set(`${start} ${row}`, [start, row, cell[2] + 1]);
  }
  return [...cells.values()].sort(([a, b], [c, d]) => a - c || b - d);
}

describe(`heatmaps equal the slow reading of random spans (seed ${seed})`, () => {
  const parts: Partial<HeatmapQuery>[] = [
    {},
    { scale: 'linear' },
    { scale: 'log', granularityMs: 7 * minute, where: 'ServiceName:cart' },
    { range: { startMs: T0 + 1234, endMs: T0 + 31 * minute + 1 }, granularityMs: 1500 },
  ];
  it.each(Object.keys(kinds).flatMap((kind) => parts.map((part) => [kind, part] as const)))(
    '%s, %o',
    async (kind, part) => {
      const { edges, cells } = await heatmap({ value: `SpanAttributes.${kind}`, ...part });
      expect(cells).toEqual(slowly(kind, edges, part));
      // Rows are few, ascend, and have an upper edge; both ends have events.
      expect(edges).toEqual([...new Set(edges)].sort((a, b) => a - b));
      expect(edges.length).toBeLessThanOrEqual(64);
      const rows = cells.map(([, row]) => row);
      expect([Math.min(...rows), Math.max(...rows)]).toEqual([0, edges.length - 2]);
    },
  );
});

describe('the scale of a heatmap', () => {
  it.each([
    ['durations', 'linear'],
    ['percentages', 'linear'],
    ['withZeros', 'linear'],
    ['signed', 'linear'],
    ['negative', 'linear'],
    ['same', 'linear'],
  ])('of %s is %s: the largest is less than twenty times the mean', async (kind, scale) => {
    expect((await heatmap({ value: `SpanAttributes.${kind}` })).scale).toBe(scale);
  });

  it('is logarithmic where nearly everything would be in the lowest rows, with a row for what is not positive', async () => {
    const value = "if(SpanAttributes['durations'] > 5000000, 1e9, SpanAttributes['withZeros'] / 1e7)";
    const { scale, edges } = await heatmap({ value });
    expect(scale).toBe('log');
    expect(edges[0]).toBe(0);
    expect(edges.slice(2).every((edge, index) => edge > (edges[index + 1] ?? 0))).toBe(true);
  });

  it('has edges that people read: 1, 2 or 5 times a power of ten, or equal parts of a decade', async () => {
    const linear = await heatmap({ value: 'SpanAttributes.tenths', scale: 'linear' });
    expect(linear.edges.every((edge) => String(edge).length <= 4)).toBe(true);
    const { edges } = await heatmap({ value: 'SpanAttributes.powers', scale: 'log' });
    expect(edges).toEqual(expect.arrayContaining([0.001, 0.1, 1, 1000, 1_000_000]));
  });

  it('of nothing has no rows', async () => {
    expect(await heatmap({ value: 'SpanAttributes.zeros', where: 'ServiceName:none' })).toMatchObject({
      edges: [],
      cells: [],
    });
  });
});

describe('the amount of a heatmap', () => {
  const total = (cells: readonly [number, number, number | null][]) =>
    cells.reduce((sum, [, , amount]) => sum + (amount ?? 0), 0);

  it('is an aggregate of the events in each cell', async () => {
    const value = 'SpanAttributes.percentages';
    const sum = await heatmap({ value, count: 'sum(SpanAttributes.same)' });
    expect(total(sum.cells)).toBe(spans.length * 5);
    const highest = await heatmap({ value, count: 'MAX(SpanAttributes.same)' });
    expect(new Set(highest.cells.map(([, , amount]) => amount))).toEqual(new Set([5]));
  });

  it('a sampled span counts with its weight', async () => {
    const sampled = { ...source, sampleRate: "SpanAttributes['same']" };
    const query = { range: hour, granularityMs: minute, value: 'SpanAttributes.tenths', where: '' };
    const compiled = compileHeatmap({ ...query, whereLanguage: 'lucene' }, sampled, guardsFor(database));
    const found = await engine.queryRunner.run(compiled, { queryClass: 'interactive', timeoutMs: 60_000 });
    expect(total(readCells(found).cells)).toBe(spans.length * 5);
  });

  it.each([
    ['Duration', 'must be count(), or sum, avg, min, max or uniq of a field'],
    ['median(Duration)', 'must be count(), or sum, avg, min, max or uniq of a field'],
    ['count(Duration)', 'count takes no argument'],
    ['sum()', 'sum takes one argument'],
    ['toString()', 'must be count(), or sum, avg, min, max or uniq of a field'],
  ])('%s is rejected', async (count, message) => {
    await expect(heatmap({ value: 'Duration', count })).rejects.toThrow(message);
  });
});
