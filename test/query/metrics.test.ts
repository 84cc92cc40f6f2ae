import { beforeAll, describe, expect, it } from 'vitest';
import type { ChartQuery, SeriesQuery } from '../../src/query/chart-query.ts';
import { compileChart } from '../../src/query/compile-chart.ts';
import type { MetricSourceSchema } from '../../src/query/source-schema.ts';
import { startEngine, type TestEngine } from '../support/start-engine.ts';
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
  engine = await startEngine();
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
    expect(await value(sumOf('resets'))).toBe(21);
  });

  it('the first point of a series that began before the range counts 0 (U-55)', async () => {
    await insertSums('first', [
      [T0 + minute, 1_000_000],
      [T0 + 2 * minute, 1_000_007],
    ]);
    expect(await value(sumOf('first'))).toBe(7);
    await insertSums('first', [[T0 - minute, 999_990]]);
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
    expect(await value(sumOf('mixed'))).toBe(20);
  });

  it('rate is the increase per second', async () => {
    await insertSums('rated', [
      [T0 - 1000, 0],
      [T0 + 1000, 600],
    ]);
    expect(await value({ ...sumOf('rated'), aggregate: 'rate' })).toBe(2);
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

  it('ignores NaN points (U-112)', async () => {
    await insertRows(engine, database, 'otel_metrics_gauge', [
      { MetricName: 'nan', TimeUnix: T0, Value: Number.NaN, Attributes: { host: 'a' } },
      { MetricName: 'nan', TimeUnix: T0, Value: 4, Attributes: { host: 'b' } },
    ]);
    expect(await value(gauge('nan', 'avg'))).toBe(4);
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
    expect(await value(histogram('lat', 'quantile', 0.25))).toBe(7.5);
    expect(await value(histogram('lat', 'quantile', 0.5))).toBe(20);
    expect(await value(histogram('lat', 'quantile', 0.9))).toBe(30);
  });

  it('a lower edge stays known when its bucket is empty', async () => {
    await insertRows(engine, database, 'otel_metrics_histogram', [
      point('gap', T0, [0, 10, 0], { AggregationTemporality: delta }),
    ]);
    expect(await value(histogram('gap', 'quantile', 0.5))).toBe(20);
  });

  it('avg is the sum of sums by the sum of counts, count the sum of counts (U-59)', async () => {
    const row = { AggregationTemporality: delta, Sum: 100 };
    await insertRows(engine, database, 'otel_metrics_histogram', [
      point('mean', T0, [1, 0, 0], { ...row, Count: 1 }),
      point('mean', T0 + 1, [99, 0, 0], { ...row, Count: 99 }),
    ]);
    expect(await value(histogram('mean', 'avg'))).toBe(2);
    expect(await value(histogram('mean', 'count'))).toBe(100);
  });

  it('changed bounds or a shrinking bucket are a reset: the point itself counts', async () => {
    await insertRows(engine, database, 'otel_metrics_histogram', [
      point('reset', T0 - 1000, [5, 5, 5]),
      point('reset', T0 + 1000, [4, 9, 9]),
      point('reset', T0 + 2000, [5, 9, 9], { ExplicitBounds: [20, 30] }),
    ]);
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

function chartError(series: Partial<SeriesQuery>): void {
  compileChart(chart(series), source, guardsFor(database));
}
