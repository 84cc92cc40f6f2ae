import { beforeAll, describe, expect, it } from 'vitest';
import type { TileAnswer } from '../../../src/contract/tile-query.ts';
import { Random } from '../../query/brute-force/random.ts';
import { ChartApi, hourMs, minuteMs, t0 } from './chart-api.ts';
import { insertRows, startStore } from './telemetry-rows.ts';

const seed = 20_261_130;
const random = new Random(seed);
let api: ChartApi;
let sources: Record<'log' | 'trace' | 'metric', string>;
const range = { startTime: t0, endTime: t0 + 2 * hourMs, granularity: '10m' };

/** Groups of very different sizes, one of which is called Other; and counters of as many hosts. */
beforeAll(async () => {
  const engine = await startStore();
  const names = [...Array.from({ length: 23 }, (_, index) => `s${index}`), 'Other', ''];
  const spans = Array.from({ length: 900 }, () => ({
    TimestampMs: t0 + random.int(0, 119) * minuteMs,
    ServiceName: names[Math.floor(names.length * random.next() ** 2)] ?? '',
    SpanName: random.pick(['GET', 'PUT']),
    Duration: random.int(0, 1_000_000),
    StatusCode: random.pick(['Ok', 'Error']),
  }));
  await insertRows(engine.client, 'otel.otel_traces', spans);
  const points = names.flatMap((ServiceName) => {
    let value = 0;
    return Array.from({ length: 30 }, (_, index) => {
      value += random.int(0, 9) / 10;
      const at = t0 + index * 4 * minuteMs;
      return { TimeUnixMs: at, StartTimeUnixMs: t0 - minuteMs, MetricName: 'm', ServiceName, Value: value };
    });
  });
  const counter = { AggregationTemporality: 2, IsMonotonic: true };
  await insertRows(
    engine.client,
    'otel.otel_metrics_sum',
    points.map((point) => ({ ...point, ...counter })),
  );
  api = await ChartApi.over({ runner: engine.queryRunner, schemas: engine.tableSchemas });
  sources = {
    log: await api.sourceId('log'),
    trace: await api.sourceId('trace'),
    metric: await api.sourceId('metric'),
  };
});

const metric = { metricName: 'm', metricDataType: 'sum' };
const additive = [
  { aggFn: 'count' },
  { aggFn: 'count', where: 'StatusCode:Error' },
  { aggFn: 'sum', field: 'Duration' },
  { aggFn: 'sum', field: 'Duration * 0.1' },
  { aggFn: 'sum', ...metric },
  { aggFn: 'increase', ...metric },
  { aggFn: 'rate', ...metric },
  { aggFn: 'sum', ...metric, field: 'Value / 3' },
];
type Item = (typeof additive)[number];

const seriesOf = (item: Item, groupBy: string[]) => ({
  sourceId: 'metricName' in item ? sources.metric : sources.trace,
  where: '',
  groupBy,
  ...item,
});
const near = (value: number) => expect.closeTo(value, 6);

interface Row {
  ts_bucket: number;
  group: string[];
  other?: true;
  'series_0.data'?: number | null;
}

async function rowsOf(body: object): Promise<Row[]> {
  const { json } = await api.send('POST', '/charts/series', { body: { ...range, ...body } });
  return (json as { data: Row[] }).data;
}

async function tileOf(config: object): Promise<TileAnswer> {
  const { json } = await api.send('POST', '/charts/tiles', {
    body: { ...range, tiles: [{ ref: 'a', tile: { config } }] },
  });
  const [answer] = (json as { data: TileAnswer[] }).data;
  if (!answer) throw new Error('no answer');
  return answer;
}

const selectOf = ({ field, metricDataType, ...item }: Item & { field?: string; metricDataType?: string }) => ({
  ...item,
  ...(field !== undefined && { valueExpression: field }),
  ...(metricDataType !== undefined && { metricType: metricDataType }),
});

describe(`groups and “Other” are the whole (seed ${seed})`, () => {
  it.each(additive)('series, bucket by bucket: %o', async (item) => {
    for (const seriesLimit of [1, 4, random.int(5, 24)]) {
      const body = { series: [seriesOf(item, ['ServiceName'])], seriesLimit };
      const [rows, all, total] = await Promise.all([
        rowsOf({ ...body, otherGroup: true }),
        rowsOf(body),
        rowsOf({ series: [seriesOf(item, [])] }),
      ]);
      // A cluster adds what its shards have in no certain order.
      const alike = all.map(({ 'series_0.data': value, ...row }) => ({
        ...row,
        ...(value !== undefined && { 'series_0.data': value === null ? null : near(value) }),
      }));
      expect(rows.filter(({ other }) => !other)).toEqual(alike);
      expect(new Set(rows.map(({ group }) => JSON.stringify(group))).size).toBe(seriesLimit + 1);
      for (const bucket of total) {
        const own = rows.filter(({ ts_bucket }) => ts_bucket === bucket.ts_bucket);
        const sum = own.reduce((value, row) => value + (row['series_0.data'] ?? 0), 0);
        expect([bucket.ts_bucket, sum]).toEqual([bucket.ts_bucket, near(bucket['series_0.data'] ?? 0)]);
        expect(own.at(-1)).toMatchObject({ group: [], other: true });
      }
    }
  });

  it.each(additive)('tiles of every display: %o', async (item) => {
    const sourceId = 'metricName' in item ? sources.metric : sources.trace;
    const select = [selectOf(item)];
    const [whole] = (await tileOf({ displayType: 'number', sourceId, select })).rows?.[0] ?? [];
    for (const displayType of ['pie', 'bar'] as const) {
      const limit = random.int(1, 9);
      const { rows = [], hasOther } = await tileOf({
        ...{ displayType, sourceId, select, groupBy: 'ServiceName, SpanName', limit, otherGroup: true },
        ...('metricName' in item && { groupBy: 'ServiceName' }),
      });
      expect([rows.length, hasOther, rows.at(-1)?.[0]]).toEqual([limit + 1, true, null]);
      expect(rows.reduce((sum, row) => sum + Number(row.at(-1)), 0)).toEqual(near(Number(whole)));
    }
    const over = { sourceId, select, groupBy: 'ServiceName', seriesLimit: 3, otherGroup: true };
    for (const displayType of ['line', 'stacked_bar'] as const) {
      const { series = [] } = await tileOf({ displayType, ...over });
      expect(series.map(({ other }) => other)).toEqual([undefined, undefined, undefined, true]);
      const total = await tileOf({ displayType, sourceId, select });
      for (const [at, value] of total.series?.[0]?.points ?? []) {
        const values = series.map(({ points }) => points.find(([each]) => each === at)?.[1] ?? 0);
        expect(values.reduce((sum, each) => sum + each, 0)).toEqual(near(value ?? 0));
      }
    }
  });

  it('a table narrowed by HAVING has the rest too, and formulas and ratios of it', async () => {
    const select = [{ aggFn: 'count' }, { aggFn: 'sum', valueExpression: 'Duration' }];
    const common = { displayType: 'table', sourceId: sources.trace, select, groupBy: 'ServiceName', otherGroup: true };
    const formulas = [{ expression: 'B / A' }];
    const { rows = [] } = await tileOf({ ...common, having: 'count() > 50', formulas, showOperandSeries: true });
    const last = rows.at(-1) ?? [];
    expect(Number(last[3])).toEqual(near(Number(last[2]) / Number(last[1])));
    expect(rows.reduce((sum, row) => sum + Number(row[1]), 0)).toBe(900);
    const ratio = await tileOf({ ...common, displayType: 'stacked_bar', seriesLimit: 1, asRatio: true });
    expect(ratio.series?.map(({ other }) => other)).toEqual([undefined, true]);
  });

  it('is absent where all groups are shown, and where nothing is grouped', async () => {
    const whole = { series: [seriesOf({ aggFn: 'count' }, ['ServiceName'])], seriesLimit: 1_000 };
    expect(await rowsOf({ ...whole, otherGroup: true })).toEqual(await rowsOf(whole));
    const ungrouped = { series: [seriesOf({ aggFn: 'count' }, [])] };
    expect(await rowsOf({ ...ungrouped, otherGroup: true })).toEqual(await rowsOf(ungrouped));
  });

  it('fills empty buckets like those of every group', async () => {
    const series = [{ ...seriesOf({ aggFn: 'count' }, ['ServiceName']), where: 'ServiceName:(s20 OR s21 OR s22)' }];
    const rows = await rowsOf({ series, seriesLimit: 1, fill: 'zero', otherGroup: true });
    expect(rows).toHaveLength(2 * 12);
  });

  it.each(['avg', 'quantile', 'max', 'min', 'count_distinct', 'last_value', 'none'])(
    '%s of groups does not add up, which is said',
    async (aggFn) => {
      const field = aggFn === 'none' ? 'count()' : 'Duration';
      const series = [{ sourceId: sources.trace, aggFn, where: '', groupBy: ['ServiceName'], field }];
      const [status, message] = await api.rejection({ ...range, series, seriesLimit: 2, otherGroup: true });
      expect([status, message]).toEqual([400, expect.stringContaining('omit otherGroup')]);
      const select = [{ aggFn, valueExpression: field }];
      const tile = { displayType: 'pie', sourceId: sources.trace, select, groupBy: 'ServiceName', otherGroup: true };
      expect((await tileOf(tile)).error?.path).toBe('config.select.0.aggFn');
    },
  );
});
