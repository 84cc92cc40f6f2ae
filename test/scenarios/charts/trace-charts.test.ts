import { beforeAll, describe, expect, it } from 'vitest';
import { randomIds } from '../../../src/kernel/ids.ts';
import { ChartApi, hourMs, minuteMs, t0, tenant } from './chart-api.ts';
import { insertRows, startStore } from './telemetry-rows.ts';

let api: ChartApi;
let traces: string;

const span = (minute: number, SpanName: string, Duration: number, StatusCode: string) => ({
  TimestampMs: t0 + minute * minuteMs,
  TraceId: `t${minute % 3}`,
  SpanName,
  ServiceName: 'api',
  Duration,
  StatusCode,
  SpanAttributes: { 'http.route': SpanName.split(' ')[1] },
});

beforeAll(async () => {
  const engine = await startStore();
  await insertRows(engine.client, 'otel.otel_traces', [
    span(1, 'GET /a', 100, 'Ok'),
    span(2, 'GET /a', 200, 'Ok'),
    span(3, 'GET /a', 400, 'Error'),
    span(4, 'POST /b', 1000, 'Ok'),
    // In another hour: two that represent ten each, and one that represents itself.
    ...['10', '10', '1'].map((rate) => ({ ...span(150, 'GET /c', 7, 'Ok'), SpanAttributes: { rate } })),
  ]);
  api = await ChartApi.over({ runner: engine.queryRunner, schemas: engine.tableSchemas });
  traces = await api.sourceId('trace');
});

async function firstValue(change: object, hour = 0): Promise<unknown> {
  const series = { sourceId: traces, aggFn: 'count', where: '', groupBy: [], ...change };
  const startTime = t0 + hour * hourMs;
  const { data } = await api.chart({ startTime, endTime: startTime + hourMs, granularity: '1h', series: [series] });
  return data[0]?.['series_0.data'];
}

describe('POST /charts/series over spans', () => {
  it.each([
    ['count', {}, 4],
    ['sum', { field: 'Duration' }, 1700],
    ['avg', { field: 'Duration' }, 425],
    ['min', { field: 'Duration' }, 100],
    ['max', { field: 'Duration' }, 1000],
    ['quantile', { field: 'Duration' }, 300],
    ['last_value', { field: 'Duration' }, 1000],
    ['count_distinct', { field: 'TraceId' }, 3],
  ])('seed aggFn %s %o → %d', async (aggFn, change, expected) => {
    expect(await firstValue({ aggFn, ...change })).toBe(expected);
  });

  it.each([
    ['lucene', 'StatusCode:Error', 1],
    ['lucene', 'Duration:>=400', 2],
    ['lucene', 'http.route:"/b"', 1],
    ['sql', "StatusCode = 'Ok' AND Duration < 500", 2],
    ['sql', "SpanAttributes['http.route'] = '/a'", 3],
  ])('where in %s: %s → %d', async (whereLanguage, where, count) => {
    expect(await firstValue({ where, whereLanguage })).toBe(count);
  });

  it('bare words search the span name', async () => {
    expect(await firstValue({ where: 'POST' })).toBe(1);
  });
});

describe('a source with a sample rate (contract §4.3)', () => {
  it('each row weighs max(1, the rate): count, sum and avg are weighted, min and max are not', async () => {
    const { sources } = api.parts;
    const own = await sources.find(tenant.id, traces);
    if (own?.kind !== 'trace') throw new Error('no trace source');
    // Any numeric column may hold the rate; the durations of the fixture serve as well as another.
    await sources.insert(tenant.id, { ...own, id: 'e00000000000000000000002', sampleRateExpression: 'Duration' });
    const sampled = { sourceId: 'e00000000000000000000002' };
    expect(await firstValue(sampled)).toBe(1700);
    expect(await firstValue({ ...sampled, aggFn: 'sum', field: 'Duration' })).toBe(
      100 ** 2 + 200 ** 2 + 400 ** 2 + 1e6,
    );
    expect(await firstValue({ ...sampled, aggFn: 'max', field: 'Duration' })).toBe(1000);
  });

  it.each([
    ["SpanAttributes['rate']", 21],
    ['rate', 21],
    ["toFloat64OrNull(SpanAttributes['rate']) * 2", 42],
    ["SpanAttributes['none']", 3],
  ])(
    'the rate may be an expression: 3 spans of rates 10, 10 and 1 by %s → %d',
    async (sampleRateExpression, expected) => {
      const { sources } = api.parts;
      const own = await sources.find(tenant.id, traces);
      if (own?.kind !== 'trace') throw new Error('no trace source');
      const id = randomIds.hex24();
      await sources.insert(tenant.id, { ...own, id, sampleRateExpression });
      expect(await firstValue({ sourceId: id }, 2)).toBe(expected);
      expect(await firstValue({ sourceId: id, aggFn: 'sum', field: 'Duration' }, 2)).toBe(expected * 7);
    },
  );

  it('a rate that is no value is 400 and names the source’s field', async () => {
    const { sources } = api.parts;
    const own = await sources.find(tenant.id, traces);
    if (own?.kind !== 'trace') throw new Error('no trace source');
    const id = randomIds.hex24();
    await sources.insert(tenant.id, { ...own, id, sampleRateExpression: 'sleep(3)' });
    const answer = firstValue({ sourceId: id });
    await expect(answer).rejects.toThrow('sampleRateExpression');
  });
});
