import { beforeAll, describe, expect, it } from 'vitest';
import { ChartApi, hourMs, minuteMs, t0 } from './chart-api.ts';
import { insertRows, startStore } from './telemetry-rows.ts';

let api: ChartApi;
let metrics: string;

const secondMs = 1000;
const delta = 1;
const cumulative = 2;

const point = (MetricName: string, atMs: number, fields: object, Attributes: object = {}, startMs = t0 - hourMs) => ({
  MetricName,
  ServiceName: 'api',
  Attributes,
  StartTimeUnixMs: startMs,
  TimeUnixMs: atMs,
  ...fields,
});
const gauge = (name: string, atMs: number, Value: number, attributes: object = {}) =>
  point(name, atMs, { Value }, attributes);
const sum = (name: string, atMs: number, Value: number, temporality: number, attributes: object = {}) =>
  point(name, atMs, { Value, AggregationTemporality: temporality, IsMonotonic: true }, attributes);
const histogram = (name: string, atMs: number, BucketCounts: number[], bounds: number[], total: number) =>
  point(name, atMs, {
    Count: BucketCounts.reduce((all, each) => all + each, 0),
    Sum: total,
    BucketCounts,
    ExplicitBounds: bounds,
    AggregationTemporality: delta,
  });

beforeAll(async () => {
  const engine = await startStore();
  await insertRows(engine.client, 'otel.otel_metrics_gauge', [
    gauge('test.gauge', t0 + minuteMs, 15),
    gauge('test.gauge', t0 + minuteMs + secondMs, 25),
    ...[10, 20, 30].map((value, i) => gauge('two.sets', t0 + i * secondMs, value, { host: 'a' })),
    gauge('two.sets', t0, 50, { host: 'b' }),
  ]);
  await insertRows(engine.client, 'otel.otel_metrics_sum', [
    sum('test.sum', t0 + minuteMs, 100, delta),
    sum('test.sum', t0 + minuteMs + secondMs, 150, delta),
    // U-54: a counter that restarts; its baseline precedes the range.
    ...[0, 5, 12, 3, 9].map((value, i) => sum('restarted', t0 + (i - 1) * minuteMs, value, cumulative)),
    // U-55: a process that has run for a year is seen for the first time.
    sum('old.process', t0 + minuteMs, 1_000_000, cumulative),
    sum('old.process', t0 + 2 * minuteMs, 1_000_007, cumulative),
  ]);
  await insertRows(engine.client, 'otel.otel_metrics_histogram', [
    histogram('test.histogram', t0 + minuteMs, [5, 10, 3, 0], [10, 50, 100], 500),
    histogram('test.histogram', t0 + minuteMs + secondMs, [3, 12, 5, 2], [10, 50, 100], 900),
    histogram('even', t0 + minuteMs, [10, 10, 10], [10, 30], 600),
  ]);
  await insertRows(engine.client, 'otel.otel_metrics_exponential_histogram', [
    // (1, 2], (2, 4], (4, 8] hold 4 each.
    point('test.exponential', t0 + minuteMs, {
      Count: 12,
      Sum: 48,
      Scale: 0,
      PositiveOffset: 0,
      PositiveBucketCounts: [4, 4, 4],
      AggregationTemporality: delta,
    }),
  ]);
  const summary = (atMs: number, Count: number, Sum: number) =>
    point('test.summary', atMs, {
      Count,
      Sum,
      'ValueAtQuantiles.Quantile': [0.5, 0.99],
      'ValueAtQuantiles.Value': [1.5, 9],
    });
  await insertRows(engine.client, 'otel.otel_metrics_summary', [
    summary(t0 - minuteMs, 100, 500),
    summary(t0 + minuteMs, 104, 520),
  ]);
  api = await ChartApi.over({ runner: engine.queryRunner, schemas: engine.tableSchemas });
  metrics = await api.sourceId('metric');
});

const series = (metricName: string, metricDataType: string, aggFn: string, more: object = {}) => ({
  sourceId: metrics,
  aggFn,
  where: '',
  groupBy: [],
  metricName,
  metricDataType,
  ...more,
});
const request = (...all: object[]) => ({ startTime: t0, endTime: t0 + hourMs, granularity: '1h', series: all });

async function firstValue(one: object): Promise<unknown> {
  return (await api.chart(request(one))).data[0]?.['series_0.data'];
}

describe('POST /charts/series over metrics (decisions C9)', () => {
  it.each([
    ['avg', 25],
    ['sum', 25],
    ['min', 25],
    ['max', 25],
    ['last_value', 25],
  ])('gauge: last value per attribute set and bucket, then %s → %d', async (aggFn, expected) => {
    expect(await firstValue(series('test.gauge', 'gauge', aggFn))).toBe(expected);
  });

  it.each([
    ['sum', 80],
    ['avg', 40],
    ['max', 50],
    ['min', 30],
    ['quantile', 40],
  ])('gauge over two attribute sets: %s → %d', async (aggFn, expected) => {
    expect(await firstValue(series('two.sets', 'gauge', aggFn))).toBe(expected);
  });

  it('gauge grouped by an attribute', async () => {
    const { data } = await api.chart(request(series('two.sets', 'gauge', 'avg', { groupBy: ['Attributes.host'] })));
    expect(data.map((row) => [row.group, row['series_0.data']])).toEqual([
      [['a'], 30],
      [['b'], 50],
    ]);
  });

  it('sum: delta points as they are', async () => {
    expect(await firstValue(series('test.sum', 'sum', 'sum'))).toBe(250);
  });

  it('sum: after a counter reset the new value counts; the baseline precedes the range', async () => {
    expect(await firstValue(series('restarted', 'sum', 'sum'))).toBe(21);
  });

  it('sum: the first point of an older process counts 0', async () => {
    expect(await firstValue(series('old.process', 'sum', 'sum'))).toBe(7);
  });

  it.each([
    [0.25, 7.5],
    [0.5, 20],
    [0.9, 30],
  ])('histogram: quantile %d by linear interpolation → %d', async (level, expected) => {
    expect(await firstValue(series('even', 'histogram', 'quantile', { level }))).toBe(expected);
  });

  it('histogram: count is the number of observations', async () => {
    expect(await firstValue(series('test.histogram', 'histogram', 'count'))).toBe(40);
  });

  it.each([
    ['exponential histogram', 'test.exponential', 'quantile', 0.5, 2 * Math.SQRT2],
    ['exponential histogram', 'test.exponential', 'count', undefined, 12],
    ['exponential histogram', 'test.exponential', 'avg', undefined, 4],
    ['summary', 'test.summary', 'avg', undefined, 5],
    ['summary', 'test.summary', 'sum', undefined, 20],
    ['summary', 'test.summary', 'quantile', 0.99, 9],
    ['summary', 'test.summary', 'quantile', 0.9, undefined],
  ])('contract §4.4: the extension types are charted: %s %s %s %d → %d', async (type, name, aggFn, level, expected) => {
    const got = await firstValue(series(name, type, aggFn, level === undefined ? {} : { level }));
    if (expected === undefined) expect(got ?? undefined).toBeUndefined();
    else expect(got).toBeCloseTo(expected, 9);
  });

  it('an aggregate that a distribution does not know: 400 with path', async () => {
    const [status, text] = await api.rejection(request(series('test.summary', 'summary', 'max')));
    expect([status, text]).toEqual([400, expect.stringMatching(/^series\.0\.aggFn: max is not known of a summary/)]);
  });

  it('three metric types in one request make one row', async () => {
    const { data } = await api.chart(
      request(
        series('test.gauge', 'gauge', 'avg'),
        series('test.sum', 'sum', 'sum'),
        series('test.histogram', 'histogram', 'quantile', { level: 0.95 }),
      ),
    );
    expect(data).toEqual([
      { ts_bucket: t0, group: [], 'series_0.data': 25, 'series_1.data': 250, 'series_2.data': expect.any(Number) },
    ]);
  });

  it('contract §4.4: field serves as metric name, and metricName wins over it', async () => {
    const { metricName: _left, ...unnamed } = series('', 'gauge', 'avg');
    expect(await firstValue({ ...unnamed, field: 'test.gauge' })).toBe(25);
    expect(await firstValue(series('test.gauge', 'gauge', 'avg', { field: 'Value' }))).toBe(25);
  });

  it('an unknown metric name: 200 without rows', async () => {
    expect((await api.chart(request(series('absent', 'gauge', 'avg')))).data).toEqual([]);
  });

  it('decisions C10: metricName and metricDataType are required; the text names the missing one', async () => {
    const { metricName: _name, ...unnamed } = series('', 'sum', 'sum');
    expect(await api.rejection(request(unnamed))).toEqual([400, expect.stringMatching(/^series\.0\.metricName: /)]);
    const { metricDataType: _type, ...untyped } = series('test.sum', '', 'sum');
    expect(await api.rejection(request(untyped))).toEqual([400, expect.stringMatching(/^series\.0\.metricDataType: /)]);
  });

  it('metrics and logs in one request: aligned, each absent where it has no row', async () => {
    const log = { sourceId: await api.sourceId('log'), aggFn: 'count', where: '', groupBy: [] };
    expect((await api.chart(request(log, series('test.gauge', 'gauge', 'avg')))).data).toEqual([
      { ts_bucket: t0, group: [], 'series_1.data': 25 },
    ]);
  });
});
