import { beforeAll, describe, expect, it } from 'vitest';
import { ChartApi, hourMs, minuteMs, t0 } from './chart-api.ts';
import { insertRows, startStore } from './telemetry-rows.ts';

let api: ChartApi;
let metrics: string;

const cumulative = 2;
const counter = (MetricName: string, TimeUnixMs: number, Value: number) => ({
  MetricName,
  ServiceName: 'api',
  Attributes: {},
  StartTimeUnixMs: t0 - 24 * hourMs,
  TimeUnixMs,
  Value,
  AggregationTemporality: cumulative,
  IsMonotonic: true,
});

beforeAll(async () => {
  const engine = await startStore();
  const minutes = Array.from({ length: 70 }, (_, at) => at - 5);
  await insertRows(engine.client, 'otel.otel_metrics_sum', [
    // Sampled once a minute, a little late each time.
    ...minutes.map((at) => counter('steady', t0 + at * minuteMs + (at % 3) * 40, (at + 5) * 600)),
    ...[500, 40, 503, 41, 506].map((value, at) => counter('in.turns', t0 + at * 10_000, value)),
  ]);
  await insertRows(
    engine.client,
    'otel.otel_metrics_gauge',
    Array.from({ length: 30 }, (_, at) => {
      const { AggregationTemporality: _t, IsMonotonic: _m, ...point } = counter('falling', t0 + at * 10_000, 29.5 - at);
      return { ...point, MetricUnit: 'ms' };
    }),
  );
  api = await ChartApi.over({ runner: engine.queryRunner, schemas: engine.tableSchemas });
  metrics = await api.sourceId('metric');
});

const series = (metricName: string, aggFn: string) => ({
  sourceId: metrics,
  aggFn,
  where: '',
  groupBy: [],
  metricName,
  metricDataType: 'sum',
});

describe('metrics at short ranges (a counter that grows by 600 a minute)', () => {
  it.each([
    [15 * minuteMs, undefined],
    [hourMs, undefined],
    [15 * minuteMs, '15s'],
    [15 * minuteMs, '7m'],
  ])('shows 10 a second over %d ms in buckets of %s', async (lengthMs, granularity) => {
    const body = { startTime: t0, endTime: t0 + lengthMs, ...(granularity && { granularity }) };
    const { data, meta } = await api.chart({ ...body, series: [series('steady', 'rate')] });
    expect(data.length).toBeGreaterThan(0);
    for (const row of data) expect(row['series_0.data']).toBeCloseTo(10, 1);
    if (!granularity) expect([meta.granularity, data.length]).toEqual(['1m', lengthMs / minuteMs]);
  });

  it('auto is as fine as ever for logs, and for tiles of metrics no finer than these are sampled', async () => {
    const range = { startTime: t0, endTime: t0 + 15 * minuteMs };
    const logs = await api.sourceId('log');
    const count = { sourceId: logs, aggFn: 'count', where: '', groupBy: [] };
    expect((await api.chart({ ...range, series: [count] })).meta.granularity).toBe('15s');
    const tiles = [series('steady', 'rate'), count].map((each, at) => ({
      ref: `${at}`,
      tile: tileOf({ series: [each] }),
    }));
    const answer = await api.send('POST', '/charts/tiles', { body: { ...range, tiles }, key: 'admin' });
    expect(answer.json).toMatchObject({ data: [{ granularityMs: minuteMs }, { granularityMs: 15_000 }] });
    const finer = await api.send('POST', '/charts/tiles', {
      body: { ...range, granularity: '15s', tiles },
      key: 'admin',
    });
    for (const { json } of [answer, finer]) {
      const samplings = (json as { data: { samplingMs?: number }[] }).data.map(({ samplingMs }) => samplingMs);
      expect(samplings, 'what lines are joined by').toEqual([expect.closeTo(minuteMs, -2), undefined]);
    }
  });
});

it('values whose unit is known are written in it, unless the tile says otherwise', async () => {
  const range = { startTime: t0, endTime: t0 + 5 * minuteMs };
  const gauge = { ...series('falling', 'avg'), metricDataType: 'gauge' };
  const spans = { sourceId: await api.sourceId('trace'), aggFn: 'max', field: 'Duration', where: '', groupBy: [] };
  const tiles = [gauge, { ...gauge, numberFormat: { output: 'number' } }, { ...gauge, aggFn: 'count' }, spans].map(
    (each, at) => ({ ref: `${at}`, tile: tileOf({ series: [each] }) }),
  );
  const answer = await api.send('POST', '/charts/tiles', { body: { ...range, tiles }, key: 'admin' });
  const { data } = answer.json as { data: { series?: { numberFormat?: object }[] }[] };
  expect(data.map((tile) => tile.series?.[0]?.numberFormat)).toEqual([
    { output: 'duration', factor: 1e-3 },
    { output: 'number' },
    undefined,
    { output: 'duration', factor: 1e-9 },
  ]);
});

const tileOf = (content: object) => ({ name: 't', x: 0, y: 0, w: 8, h: 8, ...content });

describe('meta.warnings', () => {
  const range = { startTime: t0, endTime: t0 + 5 * minuteMs };
  const config = (metricName: string) => ({
    displayType: 'line',
    sourceId: metrics,
    select: [{ aggFn: 'sum', where: '', metricName, metricType: 'sum' }],
  });

  it('names the series whose senders cannot be distinguished, and no other', async () => {
    const { meta } = await api.chart({ ...range, series: [series('steady', 'sum'), series('in.turns', 'increase')] });
    expect(meta).toMatchObject({ warnings: [{ path: 'series.1', message: expect.stringContaining('reset') }] });
    expect((await api.chart({ ...range, series: [series('steady', 'sum')] })).meta).not.toHaveProperty('warnings');
  });

  it('names the place in the tile as it was written', async () => {
    const tiles = [
      { config: config('in.turns') },
      { series: [series('in.turns', 'sum')] },
      { config: config('steady') },
    ];
    const body = { ...range, tiles: tiles.map((each, at) => ({ ref: `${at}`, tile: tileOf(each) })) };
    const answer = await api.send('POST', '/charts/tiles', { body, key: 'admin' });
    const { data } = answer.json as { data: { meta: { warnings?: { path: string }[] } }[] };
    expect(data.map(({ meta }) => meta.warnings?.map(({ path }) => path))).toEqual([
      ['config.select.0'],
      ['series.0'],
      undefined,
    ]);
  });
});

it.each([
  ['max', 29.5],
  ['min', 0.5],
  ['avg', 15],
  ['sum', 450],
])('a number shows the %s of all points of a gauge', async (aggFn, expected) => {
  const select = [{ aggFn, where: '', metricName: 'falling', metricType: 'gauge' }];
  const tile = tileOf({ config: { displayType: 'number', sourceId: metrics, select } });
  const body = { startTime: t0, endTime: t0 + 5 * minuteMs, tiles: [{ ref: 'a', tile }] };
  const answer = await api.send('POST', '/charts/tiles', { body, key: 'admin' });
  expect(answer.json).toMatchObject({ data: [{ rows: [[expected]] }] });
});
