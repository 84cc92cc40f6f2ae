import { beforeAll, describe, expect, it } from 'vitest';
import type { TileAnswer } from '../../../src/contract/tile-query.ts';
import { TelemetryError } from '../../../src/telemetry/ports.ts';
import { FakeQueryRunner } from '../../../src/telemetry/testing.ts';
import { ChartApi, hourMs, minuteMs, t0 } from './chart-api.ts';
import { insertRows, startStore } from './telemetry-rows.ts';

let api: ChartApi;
let logs: string;
let metrics: string;
/** A separate day for each report, so that none sees another's rows. */
const day = (index: number) => t0 - (index + 1) * 24 * hourMs;

beforeAll(async () => {
  const engine = await startStore();
  const log = (TimestampMs: number, change: object = {}) => ({ TimestampMs, ServiceName: 'api', ...change });
  const amount = (text: string) => ({ LogAttributes: { amount: text } });
  await insertRows(engine.client, 'otel.otel_logs', [
    log(day(0), amount('5')),
    log(day(0) + 1, amount('7')),
    log(day(0) + 2 * hourMs, amount('9')),
    ...[3, 30, 90].map((minute) => log(day(1) + minute * minuteMs)),
    ...['10', '20', 'abc', ''].map((text) => log(day(2), amount(text))),
    ...[0, 1, 2].map((second) => log(day(3) + second * 1_000, { Body: `body ${second}` })),
    log(Date.parse('2026-11-01T05:30:00Z')),
    log(Date.parse('2026-11-01T06:30:00Z')),
    log(day(4), { SeverityText: 'error' }),
    log(day(4)),
    log(day(4) + hourMs),
    log(day(4) + 2 * hourMs, { SeverityText: 'error' }),
    log(day(5), { LogAttributes: { id: '9007199254740993' } }),
    log(day(5), { LogAttributes: { id: '9007199254740992' } }),
  ]);
  await engine.client.command(
    `INSERT INTO otel.otel_logs (Timestamp, ServiceName, TraceId)
    SELECT fromUnixTimestamp64Milli(${day(6)} + (number % 60) * ${minuteMs}), 'many', toString(intDiv(number, 60)) FROM numbers(600000)`,
    { timeoutMs: 60_000 },
  );
  api = await ChartApi.over({ runner: engine.queryRunner, schemas: engine.tableSchemas });
  logs = await api.sourceId('log');
  metrics = await api.sourceId('metric');
});

const tileOf = (select: object[], change: object = {}) => ({
  config: { displayType: 'line', sourceId: logs, select, ...change },
});

async function tile(one: unknown, startTime: number, hours: number): Promise<TileAnswer> {
  const body = { startTime, endTime: startTime + hours * hourMs, granularity: '1h', tiles: [{ ref: 'a', tile: one }] };
  const answer = await api.send('POST', '/charts/tiles', { body });
  const [first] = (answer.json as { data: TileAnswer[] }).data;
  if (!first) throw new Error(answer.body);
  return first;
}

const pointsOf = ({ series = [] }: TileAnswer) => series.map(({ points }) => points.map(([, value]) => value));
const avgAmount = { aggFn: 'avg', valueExpression: 'LogAttributes.amount' };

describe('honest charts', () => {
  it('U-60: an empty bucket counts 0, and its average is no number', async () => {
    expect(pointsOf(await tile(tileOf([{ aggFn: 'count' }, avgAmount]), day(0), 3))).toEqual([
      [2, 0, 1],
      [6, null, 9],
    ]);
  });

  it('U-61: rows outside of the range are never counted; a partial bucket is known by its start', async () => {
    const series = [{ sourceId: logs, aggFn: 'count', where: '', groupBy: [] }];
    const body = { startTime: day(1) + 7 * minuteMs, endTime: day(1) + 2 * hourMs, granularity: '1h', series };
    const { data } = await api.chart(body);
    expect(data.map((row) => [row.ts_bucket, row['series_0.data']])).toEqual([
      [day(1), 1],
      [day(1) + hourMs, 1],
    ]);
  });

  it('U-62: the two hours of a clock change stay two', async () => {
    const from = Date.parse('2026-11-01T04:00:00Z');
    const { series } = await tile(tileOf([{ aggFn: 'count' }], { fillNulls: false }), from, 4);
    expect(series?.[0]?.points).toEqual([
      [Date.parse('2026-11-01T05:00:00Z'), 1],
      [Date.parse('2026-11-01T06:00:00Z'), 1],
    ]);
  });

  it('U-63: counts are JSON numbers; group keys keep all digits', async () => {
    const answer = await tile(
      { config: { displayType: 'table', sourceId: logs, select: [{ aggFn: 'count' }], groupBy: 'LogAttributes.id' } },
      day(5),
      1,
    );
    expect(answer.rows).toEqual([
      ['9007199254740992', 1],
      ['9007199254740993', 1],
    ]);
  });

  it('U-64: a metric without a name is rejected naming metricName; an unknown one is empty; one on events is rejected', async () => {
    const gauge = { aggFn: 'avg', metricType: 'gauge' };
    const bare = await tile(tileOf([gauge], { sourceId: metrics }), day(0), 1);
    expect(bare.error).toMatchObject({ code: 'query_invalid', path: 'config.select.0.metricName' });
    const unknown = await tile(tileOf([{ ...gauge, metricName: 'nope' }], { sourceId: metrics }), day(0), 1);
    expect(pointsOf(unknown)).toEqual([[null]]);
    const onEvents = await tile(tileOf([{ ...gauge, metricName: 'cpu' }]), day(0), 1);
    expect(onEvents.error?.path).toBe('config.select.0.metricName');
  });

  it.each([
    ['equal', { startTime: t0, endTime: t0 }],
    ['the wrong way round', { startTime: t0, endTime: t0 - 1 }],
    ['a text', { startTime: '2025-01-15', endTime: t0 }],
    ['missing', { startTime: t0 }],
    ['seconds', { startTime: 1_736_935_200, endTime: 1_736_938_800 }],
    ['granularity 1x', { startTime: t0, endTime: t0 + 1, granularity: '1x' }],
    ['granularity 0h', { startTime: t0, endTime: t0 + 1, granularity: '0h' }],
  ])('U-65: times that are %s are rejected for all tiles', async (_, times) => {
    const body = { ...times, tiles: [{ ref: 'a', tile: tileOf([{ aggFn: 'count' }]) }] };
    expect((await api.send('POST', '/charts/tiles', { body })).status).toBe(400);
  });

  it('U-96: a store that fails is an error of the tile, not an empty chart', async () => {
    const failing = new FakeQueryRunner(() => {
      throw new TelemetryError('failed', 'wrong password for host db.internal', 516);
    });
    const schemas = { describe: async (database: string, table: string) => ({ database, table, columns }) };
    const columns = new Map([
      ['Timestamp', 'DateTime64(9)'],
      ['ServiceName', 'String'],
    ]);
    const broken = await ChartApi.over({ runner: failing, schemas });
    const one = {
      config: { displayType: 'line', sourceId: await broken.sourceId('log'), select: [{ aggFn: 'count' }] },
    };
    const body = { startTime: t0, endTime: t0 + hourMs, tiles: [{ ref: 'a', tile: one }] };
    const answer = await broken.send('POST', '/charts/tiles', { body });
    expect((answer.json as { data: unknown[] }).data).toEqual([
      {
        ref: 'a',
        error: { code: 'query_failed', message: 'The query could not be run by the database (its error code: 516).' },
      },
    ]);
  });

  it('U-98: of ten thousand groups the largest thousand, and how many there are', async () => {
    const answer = await tile(tileOf([{ aggFn: 'count' }], { groupBy: 'TraceId' }), day(6), 1);
    expect(answer.series).toHaveLength(1_000);
    expect(answer.meta).toMatchObject({ truncated: true, groupsTotal: 10_000 });
  });

  it('U-111: a ratio is null over nothing, and 0 where only the numerator is missing', async () => {
    const select = [{ aggFn: 'count', where: 'SeverityText:error' }, { aggFn: 'count' }];
    const answer = await tile(tileOf(select, { asRatio: true }), day(4), 4);
    expect(pointsOf(answer)).toEqual([[0.5, 0, 1, null]]);
  });

  it('U-114: text that is no number is left out of an average, and its rows still count', async () => {
    const select = [avgAmount, { ...avgAmount, aggFn: 'min' }, { aggFn: 'count' }];
    expect(pointsOf(await tile(tileOf(select), day(2), 1))).toEqual([[15], [10], [4]]);
    const missing = await tile(tileOf([{ aggFn: 'avg' }]), day(2), 1);
    expect(missing.error?.path).toBe('config.select.0.valueExpression');
  });
});
