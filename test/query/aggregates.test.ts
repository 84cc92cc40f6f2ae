import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AggregateName } from '../../src/query/chart-query.ts';
import { openEngine, type TestEngine } from '../support/start-engine.ts';
import { chart, insertRows, logSource, makeDatabase, minute, type Row, run, T0 } from './telemetry-fixture.ts';

const database = 'otel_aggregate_tests';
let engine: TestEngine;
let tableNumber = 0;

beforeAll(async () => {
  engine = await openEngine();
  await makeDatabase(engine, database);
});

/**
 * Whole numbers exactly; others close enough for sums of a few hundred numbers in any order. An interpolated quantile may
 * miss a whole number by the last bit of their rounding (seen: 16.999999999999996 for 17 between -10 and 20).
 */
const near = (name: AggregateName, value: number): unknown =>
  Number.isInteger(value) && name !== 'quantile' ? value : expect.closeTo(value, 6);

interface Event {
  atMs: number;
  service: string;
  n: string | undefined;
}

const eventArbitrary = fc.record({
  atMs: fc.integer({ min: T0 - 5 * minute, max: T0 + 35 * minute }),
  service: fc.constantFrom('a', 'b', ''),
  n: fc.option(
    fc.oneof(fc.integer({ min: -50, max: 50 }).map(String), fc.constantFrom('abc', '', 'nan', 'inf', '2.5', '1e2')),
    { nil: undefined },
  ),
});

const numberOf = (text: string | undefined): number | undefined => {
  if (text === undefined || text === '' || text === 'abc' || text === 'nan' || text === 'inf') return undefined;
  return Number(text);
};

/** The slow and obvious way (decisions C7). */
function aggregate(name: AggregateName, events: readonly Event[]): number | null {
  const present = events.flatMap(({ n, atMs }) => {
    const value = numberOf(n);
    return value === undefined ? [] : [{ value, atMs }];
  });
  const values = present.map(({ value }) => value).sort((a, b) => a - b);
  if (name === 'count') return events.length;
  if (name === 'count_distinct')
    return new Set(events.map(({ n }) => n).filter((n) => n !== undefined && n !== '')).size;
  if (values.length === 0) return null;
  const total = values.reduce((sum, value) => sum + value, 0);
  switch (name) {
    case 'sum':
      return total;
    case 'avg':
      return total / values.length;
    case 'min':
      return values[0] ?? null;
    case 'max':
      return values.at(-1) ?? null;
    case 'last_value':
      return present.reduce((a, b) => (b.atMs > a.atMs || (b.atMs === a.atMs && b.value > a.value) ? b : a)).value;
    case 'quantile': {
      const rank = (values.length - 1) * 0.9;
      const low = values[Math.floor(rank)] ?? 0;
      return low + ((values[Math.ceil(rank)] ?? low) - low) * (rank - Math.floor(rank));
    }
    default:
      throw new Error(name);
  }
}

describe('aggregates over events equal the slow way, on random rows', () => {
  const names: AggregateName[] = ['avg', 'count', 'count_distinct', 'last_value', 'max', 'min', 'quantile', 'sum'];

  it('by bucket and group, with and without separate filters', async () => {
    const source = await logSource(engine, database);
    const runs = fc.asyncProperty(fc.array(eventArbitrary, { minLength: 1, maxLength: 120 }), async (events) => {
      const batch = `b${tableNumber++}`;
      await insertRows(
        engine,
        database,
        'otel_logs',
        events.map(({ atMs, service, n }) => ({
          Timestamp: atMs,
          ServiceName: service,
          Body: batch,
          LogAttributes: n === undefined ? {} : { n },
        })),
      );
      const series = names.map((name) => ({
        aggregate: name,
        level: 0.9,
        where: batch,
        ...(name === 'count' ? {} : { field: 'n' }),
      }));
      const filtered = { aggregate: 'sum' as const, field: 'LogAttributes.n', where: `${batch} ServiceName:"a"` };
      const range = { startMs: T0 + 1234, endMs: T0 + 30 * minute };
      const rows = await run(
        engine,
        chart([...series, filtered], { range, granularityMs: 10 * minute, groupBy: ['ServiceName'] }),
        source,
      );
      expect(rows.map(({ groups_total: _, ...row }) => row)).toEqual(
        expected(
          events.filter(({ atMs }) => atMs >= range.startMs && atMs < range.endMs),
          names,
        ),
      );
    });
    await fc.assert(runs, { numRuns: 12 });
  });
});

function expected(events: readonly Event[], names: readonly AggregateName[]): Row[] {
  const cells = new Map<string, Event[]>();
  for (const event of events) {
    const ts = Math.floor(event.atMs / (10 * minute)) * 10 * minute;
    const key = JSON.stringify([ts, event.service]);
    cells.set(key, [...(cells.get(key) ?? []), event]);
  }
  return [...cells.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, own]) => {
      const [ts, service] = JSON.parse(key) as [number, string];
      const values = names.flatMap((name, index) => {
        const value = aggregate(name, own);
        return [
          [`n${index}`, own.length],
          [`v${index}`, value === null ? null : near(name, value)],
        ];
      });
      const inA = service === 'a' ? own : [];
      const sum = aggregate('sum', inA);
      return {
        ts,
        g0: service,
        ...Object.fromEntries(values),
        n8: inA.length,
        v8: sum === null ? null : near('sum', sum),
      };
    });
}

describe('groups and buckets', () => {
  it('keeps the largest groups whole, says how many there were, and sorts by bucket, then group (decisions C5)', async () => {
    const source = await logSource(engine, database);
    const services = ['few', 'many', 'many', 'many', 'some', 'some'];
    await insertRows(
      engine,
      database,
      'otel_logs',
      services.map((ServiceName, index) => ({ Timestamp: T0 + index * minute, ServiceName, Body: 'capped' })),
    );
    const query = chart({ where: 'capped' }, { groupBy: ['ServiceName'], groupsMax: 2, granularityMs: 2 * minute });
    const rows = await run(engine, query, source);
    expect(rows.map(({ ts, g0, n0 }) => [Number(ts) - T0, g0, n0])).toEqual([
      [0, 'many', 1],
      [2 * minute, 'many', 2],
      [4 * minute, 'some', 2],
    ]);
    expect(new Set(rows.map(({ groups_total }) => groups_total))).toEqual(new Set([3]));
  });

  it('buckets start at the origin plus multiples of the granularity; partial ones are kept (decisions C2, U-61)', async () => {
    const source = await logSource(engine, database);
    const at = [3, 30, 90, 120].map((minutes) => ({ Timestamp: T0 + minutes * minute, Body: 'bucketed' }));
    await insertRows(engine, database, 'otel_logs', at);
    const range = { startMs: T0 + 7 * minute, endMs: T0 + 120 * minute };
    const query = chart({ where: 'bucketed' }, { range, granularityMs: 60 * minute });
    expect((await run(engine, query, source)).map(({ ts, n0 }) => [Number(ts) - T0, n0])).toEqual([
      [0, 1],
      [60 * minute, 1],
    ]);
    const own = await run(engine, { ...query, bucketOriginMs: range.startMs }, source);
    expect(own.map(({ ts, n0 }) => [Number(ts) - T0, n0])).toEqual([
      [7 * minute, 1],
      [67 * minute, 1],
    ]);
  });

  it('without a granularity there is one row, and none without matches', async () => {
    const source = await logSource(engine, database);
    expect(await run(engine, chart({ where: 'bucketed' }), source)).toEqual([{ ts: T0, n0: 2, v0: 2 }]);
    expect(await run(engine, chart({ where: 'nothinglikethis' }), source)).toEqual([]);
  });

  it('text that is no number is left out, rows still count (U-114)', async () => {
    const source = await logSource(engine, database);
    const rows = ['10', '20', 'abc', ''].map((n) => ({ Timestamp: T0, Body: 'junk', LogAttributes: { n } }));
    await insertRows(engine, database, 'otel_logs', rows);
    const series = (['avg', 'min', 'count'] as const).map((each) => ({
      aggregate: each,
      field: "LogAttributes['n']",
      where: 'junk',
    }));
    expect(await run(engine, chart(series), source)).toMatchObject([{ n0: 4, v0: 15, v1: 10, v2: 4 }]);
  });
});

describe('sampled spans: each weighs max(1, its sample rate)', () => {
  it('count, sum, avg and quantile are weighted; min, max and count_distinct are not', async () => {
    const table = `${database}.sampled`;
    const columns = 'Timestamp DateTime64(9), Duration UInt64, SampleRate UInt64, SpanAttributes Map(String, String)';
    await engine.client.command(`CREATE TABLE ${table} (${columns}) ENGINE = MergeTree ORDER BY Timestamp`, {
      timeoutMs: 10_000,
    });
    const rows = [
      [10, 0],
      [20, 1],
      [30, 4],
    ].map(([Duration, SampleRate]) => ({ Timestamp: T0, Duration, SampleRate }));
    await insertRows(engine, database, 'sampled', rows);
    const schema = await engine.tableSchemas.describe(database, 'sampled');
    if (!schema) throw new Error('the table is missing');
    const source = {
      kind: 'trace' as const,
      table: schema,
      timestampColumn: 'Timestamp',
      sampleRate: 'SampleRate',
      attributeColumns: ['SpanAttributes'],
    };
    const names = ['count', 'sum', 'avg', 'quantile', 'min', 'max', 'count_distinct'] as const;
    const series = names.map((each) => ({ aggregate: each, field: 'Duration', level: 0.2 }));
    // As if the values were 10, 20, 30, 30, 30, 30.
    const [row] = await run(engine, chart(series), source);
    expect(names.map((_, index) => row?.[`v${index}`])).toEqual([6, 150, 25, 20, 10, 30, 3]);
    expect(row?.n0).toBe(3);
  });
});
