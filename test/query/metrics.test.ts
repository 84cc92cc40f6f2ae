import { beforeAll, describe, expect, it } from 'vitest';
import type { ChartQuery, SeriesQuery } from '../../src/query/chart-query.ts';
import { compileChart } from '../../src/query/compile-chart.ts';
import type { MetricSourceSchema } from '../../src/query/source-schema.ts';
import { openEngine, type TestEngine } from '../support/start-engine.ts';
import {
  chart,
  guardsFor,
  insertRows,
  makeDatabase,
  metricSource,
  minute,
  type Row,
  run,
  T0,
} from './telemetry-fixture.ts';

const database = 'otel_metric_tests';
const cumulative = 2;
const delta = 1;
let engine: TestEngine;
let source: MetricSourceSchema;

beforeAll(async () => {
  engine = await openEngine();
  await makeDatabase(engine, database);
  source = await metricSource(engine, database);
});

const range5m = { range: { startMs: T0, endMs: T0 + 5 * minute } };

async function value(series: Partial<SeriesQuery>, rest: Partial<ChartQuery> = range5m): Promise<unknown> {
  const rows = await run(engine, chart(series, rest), source);
  expect(rows.length).toBeLessThanOrEqual(1);
  return rows[0]?.v0;
}

async function insertSums(
  name: string,
  points: readonly [atMs: number, value: number][],
  row: Row = {},
): Promise<void> {
  const rows = points.map(([TimeUnix, Value]) => ({
    MetricName: name,
    TimeUnix,
    StartTimeUnix: 0,
    Value,
    AggregationTemporality: cumulative,
    IsMonotonic: true,
    ...row,
  }));
  await insertRows(engine, database, 'otel_metrics_sum', rows);
}

const sumOf = (name: string) => ({ aggregate: 'sum' as const, metric: { name, kind: 'sum' as const } });

describe('sum metrics (decisions C9)', () => {
  it('after a counter reset the new value counts (U-54)', async () => {
    await insertSums(
      'resets',
      [0, 5, 12, 3, 9].map((each, index) => [T0 - 1 + index * 1000, each]),
    );
    // (5 - 0) + (12 - 5) + 3 + (9 - 3).
    expect(await value(sumOf('resets'))).toBe(21);
  });

  it('the first point of a series that began before the range counts 0 (U-55)', async () => {
    await insertSums('first', [
      [T0 + minute, 1_000_000],
      [T0 + 2 * minute, 1_000_007],
    ]);
    // 1,000,007 - 1,000,000.
    expect(await value(sumOf('first'))).toBe(7);
    await insertSums('first', [[T0 - minute, 999_990]]);
    // (1,000,000 - 999,990) + 7.
    expect(await value(sumOf('first'))).toBe(17);
  });

  it('the first point counts in full if its start timestamp lies inside the range', async () => {
    await insertSums(
      'young',
      [
        [T0 + minute, 40],
        [T0 + 2 * minute, 42],
      ],
      { StartTimeUnix: T0 },
    );
    // 40 + (42 - 40).
    expect(await value(sumOf('young'))).toBe(42);
  });

  it('a point at the very start of the look-back of 10 minutes is the baseline', async () => {
    await insertSums('lookback', [
      [T0 - 10 * minute, 100],
      [T0 + 1000, 130],
    ]);
    expect(await value(sumOf('lookback'), { ...range5m, granularityMs: minute })).toBe(30);
  });

  it('delta points are summed as they are, next to a cumulative series (U-56)', async () => {
    await insertSums(
      'mixed',
      [
        [T0 + 1000, 5],
        [T0 + 2000, 3],
        [T0 + 3000, 2],
      ],
      { AggregationTemporality: delta },
    );
    expect(await value(sumOf('mixed'))).toBe(10);
    await insertSums(
      'mixed',
      [
        [T0 - 1000, 100],
        [T0 + 1000, 110],
      ],
      { ResourceAttributes: { host: 'b' } },
    );
    // 5 + 3 + 2, and 110 - 100 of the other host.
    expect(await value(sumOf('mixed'))).toBe(20);
  });

  it('rate is the increase per second', async () => {
    await insertSums('rated', [
      [T0 - 1000, 0],
      [T0 + 1000, 600],
    ]);
    // 600 in 300 s.
    expect(await value({ ...sumOf('rated'), aggregate: 'rate' })).toBe(2);
  });

  it.each([15_000, minute, 5 * minute, undefined])(
    'rate is the same in narrow buckets: the increase by the time it was observed over, %s ms',
    async (granularityMs) => {
      const points = [0, 1, 2, 3, 4, 5].map((each): [number, number] => [T0 - 1000 + each * minute, each * 600]);
      await insertSums(`steady ${granularityMs}`, points);
      const query = chart(
        { ...sumOf(`steady ${granularityMs}`), aggregate: 'rate' },
        { ...range5m, ...(granularityMs !== undefined && { granularityMs }) },
      );
      const rates = (await run(engine, query, source)).map(({ v0 }) => v0);
      expect(rates).toHaveLength(granularityMs === 15_000 || granularityMs === minute ? 5 : 1);
      for (const rate of rates) expect(rate).toBe(10);
    },
  );

  it('rate adds up what each attribute set did by its own time; delta points bring theirs', async () => {
    const host = (name: string) => ({ Attributes: { host: name } });
    await insertSums(
      'own pace',
      [
        [T0 - 240_000, 0],
        [T0 + 60_000, 900],
      ],
      host('a'),
    );
    await insertSums('own pace', [[T0 + 59_000, 120]], {
      ...host('b'),
      StartTimeUnix: T0 - 61_000,
      AggregationTemporality: delta,
    });
    const rest = { range: { startMs: T0, endMs: T0 + 2 * minute }, granularityMs: minute };
    const rows = await run(engine, chart({ ...sumOf('own pace'), aggregate: 'rate' }, rest), source);
    // 120 in the 120 s of the delta point; 900 in 300 s.
    expect(rows.map(({ v0 }) => v0)).toEqual([1, 3]);
  });

  it('rate divides by the part of the bucket inside the range', async () => {
    await insertSums('rated in part', [
      [T0 - 1000, 40],
      [T0 + 50 * minute, 700],
    ]);
    // 10:05 to 11:00 are 3300 s of the bucket of an hour: (700 - 40) / 3300.
    const rest = { range: { startMs: T0 + 5 * minute, endMs: T0 + 60 * minute }, granularityMs: 60 * minute };
    expect(await value({ ...sumOf('rated in part'), aggregate: 'rate' }, rest)).toBe(0.2);
  });

  it.each([minute, 5 * minute, 60 * minute, undefined])(
    'the point before is looked for a day back, however wide the buckets are: %s ms',
    async (granularityMs) => {
      const name = `far ${granularityMs}`;
      await insertSums(name, [
        [T0 - 1_430 * minute, 100],
        [T0 + minute, 107],
        [T0 + 2 * minute, 109],
      ]);
      const total = async (): Promise<number> => {
        const rest = { ...range5m, ...(granularityMs !== undefined && { granularityMs }) };
        const rows = await run(engine, chart(sumOf(name), rest), source);
        return rows.reduce((sum, { v0 }) => sum + Number(v0), 0);
      };
      // (107 - 100) + (109 - 107).
      expect(await total()).toBe(9);
      await insertSums(`too ${name}`, [
        [T0 - 1_440 * minute, 100],
        [T0 + 1, 107],
        [T0 + 2 * minute, 109],
      ]);
      // Beyond a day 107 only says where counting starts.
      expect(await value(sumOf(`too ${name}`))).toBe(2);
    },
  );

  it('a reset in one bucket is not seen from the next one', async () => {
    await insertSums('over buckets', [
      [T0 - 1000, 50],
      [T0 + 30_000, 60],
      [T0 + 90_000, 4],
      [T0 + 150_000, 9],
    ]);
    // 60 - 50, then 4 as it is, then 9 - 4.
    const rows = await run(engine, chart(sumOf('over buckets'), { ...range5m, granularityMs: minute }), source);
    expect(rows.map(({ v0 }) => v0)).toEqual([10, 4, 5]);
  });

  it('each attribute set restarts independently; the aggregate is over their increases', async () => {
    const host = (name: string) => ({ Attributes: { host: name } });
    await insertSums(
      'hosts',
      [10, 13, 2].map((each, index) => [T0 - 1 + index * 1000, each]),
      host('a'),
    );
    await insertSums(
      'hosts',
      [100, 104, 110].map((each, index) => [T0 - 1 + index * 1000, each]),
      host('b'),
    );
    // a: (13 - 10) + 2 = 5. b: (104 - 100) + (110 - 104) = 10.
    for (const [aggregate, expected] of [
      ['sum', 15],
      ['increase', 15],
      ['avg', 7.5],
      ['min', 5],
      ['max', 10],
      ['count', 2],
    ] as const) {
      expect([aggregate, await value({ ...sumOf('hosts'), aggregate })]).toEqual([aggregate, expected]);
    }
  });

  it('an up-down counter is a level; only increase and rate take its differences, without resets', async () => {
    const points = [10, 4, 9].map((each, index): [number, number] => [T0 - 1 + index * 1000, each]);
    await insertSums('queue', points, { IsMonotonic: false });
    await insertSums('queue', [[T0 + 500, 30]], { IsMonotonic: false, Attributes: { host: 'b' } });
    const metric = { name: 'queue', kind: 'sum' as const };
    for (const [aggregate, onAxis, without] of [
      ['increase', -1, -1],
      ['rate', -1 / 300, -1 / 300],
      ['sum', 39, 43],
      ['avg', 19.5, 43 / 3],
      ['min', 9, 4],
      ['max', 30, 30],
      ['last_value', 9, 9],
      ['count', 2, 3],
      ['count_distinct', 2, 3],
    ] as const) {
      const [over, whole] = [
        await value({ aggregate, metric }),
        await value({ aggregate, metric }, { ...range5m, hasTimeAxis: false }),
      ];
      expect([aggregate, over, whole]).toEqual([aggregate, expect.closeTo(onAxis, 9), expect.closeTo(without, 9)]);
    }
    await insertSums('counter', points);
    // 4 + (9 - 4).
    expect(await value(sumOf('counter'))).toBe(9);
  });

  it('a point that was sent twice adds nothing, a late one is put where it belongs', async () => {
    await insertSums('twice', [
      [T0 - 1000, 10],
      [T0 + 1000, 15],
      [T0 + 3000, 21],
    ]);
    await insertSums('twice', [
      [T0 + 1000, 15],
      [T0 + 2000, 18],
    ]);
    // (15 - 10) + 0 + (18 - 15) + (21 - 18).
    expect(await value(sumOf('twice'))).toBe(11);
  });

  it('of points of one instant the smaller came first, whatever the order of arrival', async () => {
    await insertSums('one instant', [
      [T0 - 1000, 10],
      [T0 + 1000, 18],
    ]);
    await insertSums('one instant', [[T0 + 1000, 15]]);
    // (15 - 10) + (18 - 15): no reset.
    expect(await value(sumOf('one instant'))).toBe(8);
  });

  it('an unaligned start keeps the first partial bucket', async () => {
    await insertSums('partial', [
      [T0 - 1000, 10],
      [T0 + 7 * minute, 15],
      [T0 + 61 * minute, 18],
    ]);
    const query = chart(sumOf('partial'), {
      range: { startMs: T0 + 5 * minute, endMs: T0 + 90 * minute },
      granularityMs: 60 * minute,
    });
    const rows = await run(engine, query, source);
    expect(rows.map(({ ts, v0 }) => [ts, v0])).toEqual([
      [T0, 5],
      [T0 + 60 * minute, 3],
    ]);
  });
});

describe('gauges (decisions C9)', () => {
  const gauge = (name: string, aggregate: SeriesQuery['aggregate']) => ({
    aggregate,
    metric: { name, kind: 'gauge' as const },
  });

  it('takes the last value of each attribute set, then aggregates (U-57)', async () => {
    const point = (host: string, second: number, Value: number) => ({
      MetricName: 'load',
      TimeUnix: T0 + second * 1000,
      Value,
      Attributes: { host },
    });
    await insertRows(engine, database, 'otel_metrics_gauge', [
      point('a', 1, 10),
      point('a', 3, 30),
      point('b', 1, 50),
      point('a', 2, 20),
    ]);
    for (const [aggregate, expected] of [
      ['sum', 80],
      ['avg', 40],
      ['max', 50],
      ['min', 30],
    ] as const) {
      expect(await value(gauge('load', aggregate))).toBe(expected);
    }
  });

  it.each([[[-2.5, -1.5, -300]], [[-1, 0, -0.5]], [[1e-300, 5e300, 2]], [[-7, 7, 0]]])(
    'of points of one instant the largest is the last: %j',
    async (values) => {
      const name = `one instant ${values.join()}`;
      const point = (second: number, Value: number): Row => ({ MetricName: name, TimeUnix: T0 + second * 1000, Value });
      await insertRows(engine, database, 'otel_metrics_gauge', [
        point(1, 1e308),
        ...values.map((each) => point(2, each)),
      ]);
      expect(await value(gauge(name, 'sum'))).toBe(Math.max(...values));
    },
  );

  it.each([
    ['max', 29.5],
    ['min', 0.5],
    ['avg', 15],
    ['sum', 450],
    ['count', 30],
    ['quantile', 15],
    ['last_value', 0.5],
    ['count_distinct', 30],
  ] as const)('without a time axis %s is of all points of the range', async (aggregate, expected) => {
    const points = Array.from(
      { length: 30 },
      (_, at): Row => ({
        MetricName: `falling ${aggregate}`,
        TimeUnix: T0 + at * 10_000,
        Value: 29.5 - at,
      }),
    );
    await insertRows(engine, database, 'otel_metrics_gauge', points);
    const falling = gauge(`falling ${aggregate}`, aggregate);
    expect(await value(falling, { ...range5m, hasTimeAxis: false })).toBe(expected);
    const onAxis = await value(falling);
    expect(onAxis).toBe(aggregate === 'count' || aggregate === 'count_distinct' ? 1 : 0.5);
  });

  it('a point that records that there is no value is none', async () => {
    await insertRows(engine, database, 'otel_metrics_gauge', [
      { MetricName: 'stale', TimeUnix: T0, Value: 7, Flags: 0 },
      { MetricName: 'stale', TimeUnix: T0 + 1000, Value: 0, Flags: 1 },
    ]);
    expect(await value(gauge('stale', 'last_value'))).toBe(7);
    await insertSums(
      'stale',
      [
        [T0 - 1000, 40],
        [T0 + 2000, 43],
      ],
      { Flags: 0 },
    );
    await insertSums('stale', [[T0 + 1000, 0]], { Flags: 1 });
    expect(await value(sumOf('stale'))).toBe(3);
  });

  it('ignores NaN points (U-112)', async () => {
    await insertRows(engine, database, 'otel_metrics_gauge', [
      { MetricName: 'nan', TimeUnix: T0, Value: Number.NaN, Attributes: { host: 'a' } },
      { MetricName: 'nan', TimeUnix: T0, Value: 4, Attributes: { host: 'b' } },
    ]);
    expect(await value(gauge('nan', 'avg'))).toBe(4);
  });

  it('a sum that leaves the range of numbers is null; of nothing but NaN there is no value (U-112)', async () => {
    const point = (name: string, host: string, Value: number) => ({
      MetricName: name,
      TimeUnix: T0,
      Value,
      Attributes: { host },
    });
    await insertRows(engine, database, 'otel_metrics_gauge', [
      point('huge', 'a', 1.7e308),
      point('huge', 'b', 1.7e308),
      point('only nan', 'a', Number.NaN),
    ]);
    expect(await value(gauge('huge', 'sum'))).toBeNull();
    expect(await value(gauge('only nan', 'sum'))).toBeUndefined();
  });

  it('filters and groups by attributes, resource attributes and columns', async () => {
    const rows = await run(
      engine,
      chart({ ...gauge('load', 'max'), where: 'host:b' }, { ...range5m, groupBy: ['Attributes.host'] }),
      source,
    );
    expect(rows).toMatchObject([{ g0: 'b', v0: 50, groups_total: 1 }]);
  });

  it('lays different metrics side by side; a series without rows has n 0', async () => {
    const rows = await run(
      engine,
      chart([gauge('load', 'avg'), gauge('nan', 'avg'), gauge('missing', 'avg')], range5m),
      source,
    );
    expect(rows).toMatchObject([{ v0: 40, v1: 4, n2: 0 }]);
  });
});

describe('histograms (decisions C9)', () => {
  const histogram = (name: string, aggregate: SeriesQuery['aggregate'], level?: number) => ({
    aggregate,
    metric: { name, kind: 'histogram' as const },
    ...(level === undefined ? {} : { level }),
  });
  const point = (name: string, atMs: number, counts: number[], row: Row = {}): Row => ({
    MetricName: name,
    TimeUnix: atMs,
    StartTimeUnix: 0,
    AggregationTemporality: cumulative,
    ExplicitBounds: [10, 30],
    BucketCounts: counts,
    Count: counts.reduce((a, b) => a + b, 0),
    Sum: 0,
    ...row,
  });

  it('interpolates linearly inside the bucket (U-58)', async () => {
    await insertRows(engine, database, 'otel_metrics_histogram', [
      point('lat', T0, [0, 0, 0]),
      point('lat', T0 + 1000, [10, 10, 10]),
    ]);
    // 10 each; ranks 7.5, 15 and 27: 0 + 10 · 7.5 / 10, 10 + 20 · (15 - 10) / 10, and beyond the last bound.
    expect(await value(histogram('lat', 'quantile', 0.25))).toBe(7.5);
    expect(await value(histogram('lat', 'quantile', 0.5))).toBe(20);
    expect(await value(histogram('lat', 'quantile', 0.9))).toBe(30);
  });

  it('a lower edge stays known when its bucket is empty', async () => {
    await insertRows(engine, database, 'otel_metrics_histogram', [
      point('gap', T0, [0, 10, 0], { AggregationTemporality: delta }),
    ]);
    // 10 + 20 · (5 - 0) / 10.
    expect(await value(histogram('gap', 'quantile', 0.5))).toBe(20);
  });

  it('avg is the sum of sums by the sum of counts, count the sum of counts (U-59)', async () => {
    const row = { AggregationTemporality: delta, Sum: 100 };
    await insertRows(engine, database, 'otel_metrics_histogram', [
      point('mean', T0, [1, 0, 0], { ...row, Count: 1 }),
      point('mean', T0 + 1, [99, 0, 0], { ...row, Count: 99 }),
    ]);
    // (100 + 100) / (1 + 99).
    expect(await value(histogram('mean', 'avg'))).toBe(2);
    expect(await value(histogram('mean', 'count'))).toBe(100);
  });

  it('without a sum there is no sum and no avg, but a count', async () => {
    await insertRows(engine, database, 'otel_metrics_histogram', [
      point('no sum', T0, [1, 0, 0], { AggregationTemporality: delta, Sum: Number.NaN }),
      point('no sum', T0 + 1, [2, 0, 0], { AggregationTemporality: delta, Sum: 30 }),
    ]);
    expect(await value(histogram('no sum', 'sum'))).toBeNull();
    expect(await value(histogram('no sum', 'avg'))).toBeNull();
    expect(await value(histogram('no sum', 'count'))).toBe(3);
  });

  it('bounds below 0: the first bucket has no lower edge, the others have both', async () => {
    await insertRows(engine, database, 'otel_metrics_histogram', [
      point('cold', T0, [4, 4, 4, 0], { AggregationTemporality: delta, ExplicitBounds: [-20, 0, 20] }),
    ]);
    // Rank 12 · 0.25 = 3 lies in (-inf, -20]: its upper edge.
    expect(await value(histogram('cold', 'quantile', 0.25))).toBe(-20);
    // Rank 6, 4 below: -20 + 20 · (6 - 4) / 4.
    expect(await value(histogram('cold', 'quantile', 0.5))).toBe(-10);
    // Rank 9, 8 below: 0 + 20 · (9 - 8) / 4.
    expect(await value(histogram('cold', 'quantile', 0.75))).toBe(5);
  });

  it('beyond the last bound the quantile is that bound; without any bound there is none', async () => {
    await insertRows(engine, database, 'otel_metrics_histogram', [
      point('over', T0, [1, 0, 3], { AggregationTemporality: delta }),
      point('unbounded', T0, [5], { AggregationTemporality: delta, ExplicitBounds: [] }),
    ]);
    // Rank 2 of 4 lies in (30, +inf).
    expect(await value(histogram('over', 'quantile', 0.5))).toBe(30);
    // Rank 1 is the whole first bucket: 0 + 10 · 1 / 1.
    expect(await value(histogram('over', 'quantile', 0.25))).toBe(10);
    expect(await value(histogram('unbounded', 'quantile', 0.5))).toBeNull();
    expect(await value(histogram('unbounded', 'count'))).toBe(5);
  });

  it('buckets of different layouts are laid over each other by their upper edges', async () => {
    await insertRows(engine, database, 'otel_metrics_histogram', [
      point('layouts', T0, [2, 2, 0], { AggregationTemporality: delta }),
      point('layouts', T0 + 1, [4, 0], { AggregationTemporality: delta, ExplicitBounds: [20] }),
    ]);
    // Up to 10: 2, up to 20: 4, up to 30: 2. Rank 8 · 0.5 = 4, 2 below: 10 + 10 · (4 - 2) / 4.
    expect(await value(histogram('layouts', 'quantile', 0.5))).toBe(15);
  });

  it('increases are added up over attribute sets before the quantile is taken; one of them restarts', async () => {
    const host = (name: string) => ({ Attributes: { host: name } });
    await insertRows(engine, database, 'otel_metrics_histogram', [
      point('sets', T0 - 1000, [10, 10, 0], { ...host('a'), Sum: 300 }),
      point('sets', T0 + 1000, [12, 14, 0], { ...host('a'), Sum: 400 }),
      point('sets', T0 - 1000, [9, 9, 0], { ...host('b'), Sum: 500 }),
      point('sets', T0 + 1000, [1, 1, 0], { ...host('b'), Sum: 20 }),
    ]);
    // a gains 2 and 4, b counts anew with 1 and 1: 3 up to 10, 5 up to 30. Rank 4, 3 below: 10 + 20 · (4 - 3) / 5.
    expect(await value(histogram('sets', 'quantile', 0.5))).toBe(14);
    expect(await value(histogram('sets', 'count'))).toBe(8);
    // (400 - 300) + 20, by 8.
    expect(await value(histogram('sets', 'avg'))).toBe(15);
  });

  it('the first point of an older series is where counting starts, that of a young one counts (U-55)', async () => {
    await insertRows(engine, database, 'otel_metrics_histogram', [
      point('old', T0 + 1000, [7, 0, 0]),
      point('old', T0 + 2000, [7, 2, 0]),
      point('young', T0 + 1000, [7, 0, 0], { StartTimeUnix: T0 }),
    ]);
    // Only the 2 in (10, 30] came while we looked: 10 + 20 · (1 - 0) / 2.
    expect(await value(histogram('old', 'quantile', 0.5))).toBe(20);
    expect(await value(histogram('old', 'count'))).toBe(2);
    expect(await value(histogram('young', 'count'))).toBe(7);
  });

  it('changed bounds or a shrinking bucket are a reset: the point itself counts', async () => {
    await insertRows(engine, database, 'otel_metrics_histogram', [
      point('reset', T0 - 1000, [5, 5, 5]),
      point('reset', T0 + 1000, [4, 9, 9]),
      point('reset', T0 + 2000, [5, 9, 9], { ExplicitBounds: [20, 30] }),
    ]);
    // 4 + 9 + 9, then 5 + 9 + 9.
    expect(await value(histogram('reset', 'count'))).toBe(22 + 23);
  });

  it.each([
    ['histogram', 'a histogram'],
    ['exponentialHistogram', 'an exponential histogram'],
    ['summary', 'a summary'],
  ] as const)('%s: refuses what it does not know', (kind, noun) => {
    expect(() => chartError({ aggregate: 'max', metric: { name: 'x', kind } })).toThrow(`max is not known of ${noun}`);
  });
});

describe('tables as other collectors make them', () => {
  it('buckets of different layouts are distinguished by the bounds themselves', async () => {
    const point = (atMs: number, ExplicitBounds: number[], BucketCounts: number[]): Row => ({
      MetricName: 'foreign layouts',
      TimeUnix: atMs,
      StartTimeUnix: 0,
      AggregationTemporality: cumulative,
      ExplicitBounds,
      BucketCounts,
      Count: BucketCounts.reduce((a, b) => a + b, 0),
    });
    await insertRows(engine, database, 'otel_metrics_histogram', [
      point(T0 - 1000, [10, 30], [1, 1, 0]),
      point(T0 + 1000, [10, 30], [3, 3, 0]),
      point(T0 + 2000, [20], [4, 0]),
    ]);
    const quantile = {
      aggregate: 'quantile' as const,
      level: 0.5,
      metric: { name: 'foreign layouts', kind: 'histogram' as const },
    };
    const own = source.tables.histogram;
    if (!own?.defaults) throw new Error('there is no table of histograms');
    const defaults = new Map([...own.defaults].filter(([name]) => name !== 'BucketLayout'));
    const foreign = { ...source, tables: { ...source.tables, histogram: { ...own, defaults } } };
    // Up to 10: 2, up to 20: 4, up to 30: 2. Rank 8 · 0.5 = 4, 2 below: 10 + 10 · (4 - 2) / 4.
    for (const each of [source, foreign]) {
      expect(await run(engine, chart(quantile, range5m), each)).toMatchObject([{ n0: 2, v0: 15 }]);
    }
  });

  it('times may be whole seconds, and columns of ours may be missing', async () => {
    await engine.client.command(
      `CREATE TABLE ${database}.narrow_gauges (ServiceName String, MetricName String, Attributes Map(String, String),
         TimeUnix DateTime, Value Float64) ENGINE = MergeTree ORDER BY (MetricName, TimeUnix)`,
      { timeoutMs: 30_000 },
    );
    const at = (seconds: number) => Math.floor(T0 / 1000) + seconds;
    await engine.client.command(
      `INSERT INTO ${database}.narrow_gauges VALUES ('a', 'load', {'host': 'x'}, ${at(1)}, 9), ('a', 'load', {'host': 'x'}, ${at(2)}, 3),
         ('a', 'load', {'host': 'y'}, ${at(2)}, 4), ('b', 'load', {'host': 'x'}, ${at(1)}, 5)`,
      { timeoutMs: 30_000 },
    );
    const table = await engine.tableSchemas.describe(database, 'narrow_gauges');
    if (!table) throw new Error('there is no such table');
    const narrow: MetricSourceSchema = { ...source, tables: { gauge: table }, attributeColumns: ['Attributes'] };
    const load = { aggregate: 'sum' as const, metric: { name: 'load', kind: 'gauge' as const } };
    const rows = await run(engine, chart(load, { ...range5m, groupBy: ['ServiceName'] }), narrow);
    expect(rows).toMatchObject([
      { g0: 'a', n0: 3, v0: 7 },
      { g0: 'b', n0: 1, v0: 5 },
    ]);
  });
});

function chartError(series: Partial<SeriesQuery>): void {
  compileChart(chart(series), source, guardsFor(database));
}
