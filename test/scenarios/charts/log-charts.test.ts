import { beforeAll, describe, expect, it } from 'vitest';
import { randomIds } from '../../../src/kernel/ids.ts';
import { ChartApi, hourMs, minuteMs, otherTenant, t0, tenant } from './chart-api.ts';
import { insertRows, startStore } from './telemetry-rows.ts';

let api: ChartApi;
let logs: string;

const log = (atMs: number, ServiceName: string, SeverityText: string, Body: string, LogAttributes = {}) => ({
  TimestampMs: atMs,
  ServiceName,
  SeverityText,
  Body,
  LogAttributes,
  ResourceAttributes: { 'host.name': `${ServiceName}-host` },
});

/** Six rows over three hours; the second hour is empty. */
const rows = [
  log(t0 + 10 * minuteMs, 'api', 'info', 'order placed', { 'http.status': '200', amount: '10' }),
  log(t0 + 20 * minuteMs, 'api', 'error', 'payment declined', { 'http.status': '500', amount: '20' }),
  log(t0 + 30 * minuteMs, 'web', 'info', 'order placed', { 'http.status': '200', amount: 'abc' }),
  log(t0 + 40 * minuteMs, 'api', 'info', 'order shipped', { 'http.status': '200', amount: '40' }),
  log(t0 + 2 * hourMs + minuteMs, 'web', 'error', 'payment declined', { 'http.status': '503', amount: '7' }),
  log(t0 + 2 * hourMs + 2 * minuteMs, 'web', 'info', 'it’s 100% "done"', { amount: '' }),
];

beforeAll(async () => {
  const engine = await startStore();
  await insertRows(engine.client, 'otel.otel_logs', rows);
  await insertRows(engine.client, 'otel_other.otel_logs', [log(t0 + minuteMs, 'secret', 'info', 'of another team')]);
  api = await ChartApi.over({ runner: engine.queryRunner, schemas: engine.tableSchemas });
  logs = await api.sourceId('log');
});

const series = (change: object = {}) => ({ sourceId: logs, aggFn: 'count', where: '', groupBy: [], ...change });
const request = (change: object, ...all: object[]) => ({
  startTime: t0,
  endTime: t0 + 3 * hourMs,
  granularity: '1h',
  series: all,
  ...change,
});

describe('POST /charts/series over logs (seed §Charts)', () => {
  it('decisions C1: rows {ts_bucket, group, "series_0.data"}; values are JSON numbers; empty buckets absent (C5)', async () => {
    const { data, meta } = await api.chart(request({}, series()));
    expect(data).toEqual([
      { ts_bucket: t0, group: [], 'series_0.data': 4 },
      { ts_bucket: t0 + 2 * hourMs, group: [], 'series_0.data': 2 },
    ]);
    expect(meta).toEqual({
      granularity: '1h',
      rowsRead: expect.any(Number),
      bytesRead: expect.any(Number),
      elapsedMs: expect.any(Number),
      cache: 'off',
      exact: true,
      approximate: false,
      truncated: false,
    });
  });

  it('decisions C2: the range is half-open, and partial buckets are kept with their aligned start', async () => {
    const from = request({ startTime: t0 + 20 * minuteMs, endTime: t0 + 40 * minuteMs }, series());
    expect((await api.chart(from)).data).toEqual([{ ts_bucket: t0, group: [], 'series_0.data': 2 }]);
  });

  it('contract §4.2: 1s granularity gives a bucket per second with rows', async () => {
    const range = { startTime: t0 + 2 * hourMs, endTime: t0 + 2 * hourMs + 5 * minuteMs, granularity: '1s' };
    const { data } = await api.chart(request(range, series()));
    expect(data.map((row) => row.ts_bucket)).toEqual([t0 + 2 * hourMs + minuteMs, t0 + 2 * hourMs + 2 * minuteMs]);
  });

  it('groups: sorted by bucket, then group; group is always an array of strings', async () => {
    const { data } = await api.chart(request({}, series({ groupBy: ['ServiceName', 'SeverityText'] })));
    expect(data.map((row) => [row.ts_bucket - t0, row.group, row['series_0.data']])).toEqual([
      [0, ['api', 'error'], 1],
      [0, ['api', 'info'], 2],
      [0, ['web', 'info'], 1],
      [2 * hourMs, ['web', 'error'], 1],
      [2 * hourMs, ['web', 'info'], 1],
    ]);
  });

  it.each([
    ['ResourceAttributes.host.name', ['api-host', 'web-host']],
    ["ResourceAttributes['host.name']", ['api-host', 'web-host']],
    ['host.name', ['api-host', 'web-host']],
    ['lower(ServiceName)', ['api', 'web']],
    ["LogAttributes['absent']", ['']],
  ])('decisions C10: groupBy %s', async (field, groups) => {
    const { data } = await api.chart(request({}, series({ groupBy: [field] })));
    expect([...new Set(data.flatMap((row) => row.group))]).toEqual(groups);
  });

  it.each([
    ['lucene', 'SeverityText:info AND "order placed"', 2],
    ['lucene', 'declined', 2],
    ['lucene', 'NOT ServiceName:web', 3],
    ['lucene', 'http.status:500', 1],
    ['lucene', 'LogAttributes.http.status:[500 TO 599]', 2],
    ['lucene', '   ', 6],
    ['sql', "SeverityText = 'error' AND ServiceName IN ('api', 'web')", 2],
    ['sql', "LogAttributes['http.status'] = '200'", 3],
    ['sql', "Body LIKE '%100\\\\%%'", 1],
    ['sql', "SeverityText = 'info' OR SeverityText = 'error'", 6],
  ])('where in %s: %s → %d', async (whereLanguage, where, count) => {
    const { data } = await api.chart(request({}, series({ where, whereLanguage })));
    expect(data.reduce((sum, row) => sum + Number(row['series_0.data']), 0)).toBe(count);
  });

  it('without whereLanguage a condition is Lucene', async () => {
    const { data } = await api.chart(request({}, series({ where: 'ServiceName:api' })));
    expect(data).toEqual([{ ts_bucket: t0, group: [], 'series_0.data': 3 }]);
  });

  const firstHour = (change: object) =>
    api.chart(request({ endTime: t0 + hourMs }, series(change))).then(({ data }) => data[0]?.['series_0.data']);

  it.each([
    ['count', {}, 4],
    ['sum', { field: 'LogAttributes.amount' }, 70],
    ['avg', { field: 'LogAttributes.amount' }, 70 / 3],
    ['min', { field: 'LogAttributes.amount' }, 10],
    ['max', { field: 'amount' }, 40],
    ['quantile', { field: 'amount' }, 20],
    ['quantile', { field: 'amount', level: 0.75 }, 30],
    ['last_value', { field: 'amount' }, 40],
    ['count_distinct', { field: 'Body' }, 3],
  ])('seed aggFn %s %o → %d; decisions C7: text that is no number is left out', async (aggFn, change, expected) => {
    expect(await firstHour({ aggFn, ...change })).toBe(expected);
  });

  it('decisions C1: a bucket with rows but without a number has null', async () => {
    const range = { startTime: t0 + 2 * hourMs + 2 * minuteMs, endTime: t0 + 3 * hourMs };
    const { data } = await api.chart(request(range, series({ aggFn: 'avg', field: 'LogAttributes.amount' })));
    expect(data).toEqual([{ ts_bucket: t0 + 2 * hourMs, group: [], 'series_0.data': null }]);
  });
});

describe('several series (decisions C4, C8)', () => {
  it('are merged on bucket and group; a series without a row there has no key', async () => {
    const groupBy = ['ServiceName'];
    const errors = series({ groupBy, where: 'SeverityText:error' });
    const { data } = await api.chart(request({ endTime: t0 + hourMs }, series({ groupBy }), errors));
    expect(data).toEqual([
      { ts_bucket: t0, group: ['api'], 'series_0.data': 3, 'series_1.data': 1 },
      { ts_bucket: t0, group: ['web'], 'series_0.data': 1 },
    ]);
  });

  it('ratio: adds series_0 / series_1 and keeps the operands; 0 when the numerator is missing, null when the denominator is', async () => {
    const groupBy = ['ServiceName'];
    const ratio = { seriesReturnType: 'ratio' };
    const errors = series({ groupBy, where: 'SeverityText:error' });
    const all = series({ groupBy });
    expect((await api.chart(request({ ...ratio, endTime: t0 + hourMs }, errors, all))).data).toEqual([
      { ts_bucket: t0, group: ['api'], 'series_0.data': 1, 'series_1.data': 3, ratio: 1 / 3 },
      { ts_bucket: t0, group: ['web'], 'series_1.data': 1, ratio: 0 },
    ]);
    expect((await api.chart(request({ ...ratio, endTime: t0 + hourMs }, all, errors))).data).toEqual([
      { ts_bucket: t0, group: ['api'], 'series_0.data': 3, 'series_1.data': 1, ratio: 3 },
      { ts_bucket: t0, group: ['web'], 'series_0.data': 1, ratio: null },
    ]);
  });

  it('column: other key names, the bucket as text, the group field under its name', async () => {
    const body = request({ seriesReturnType: 'column', endTime: t0 + hourMs }, series({ groupBy: ['ServiceName'] }));
    const { data } = await api.chart(body);
    expect(data[0]).toEqual({
      ts_bucket: t0,
      __hdx_time_bucket: new Date(t0).toISOString(),
      group: ['api'],
      ServiceName: 'api',
      series_0: 3,
    });
  });
});

describe('fill and groups (decisions C5)', () => {
  it('fill: "zero" and "null" give every bucket a row', async () => {
    const rowsOf = (middle: unknown) => [
      { ts_bucket: t0, group: [], 'series_0.data': 4 },
      { ts_bucket: t0 + hourMs, group: [], 'series_0.data': middle },
      { ts_bucket: t0 + 2 * hourMs, group: [], 'series_0.data': 2 },
    ];
    expect((await api.chart(request({ fill: 'zero' }, series()))).data).toEqual(rowsOf(0));
    expect((await api.chart(request({ fill: 'null' }, series()))).data).toEqual(rowsOf(null));
  });

  it('the largest groups are kept, and the answer says that it cut', async () => {
    const grouped = series({ groupBy: ['LogAttributes.amount'] });
    const cut = await api.chart(request({ seriesLimit: 2 }, grouped));
    expect(new Set(cut.data.map((row) => row.group[0])).size).toBe(2);
    expect(cut.meta.truncated).toBe(true);
    const whole = await api.chart(request({ seriesLimit: 6 }, grouped));
    expect([new Set(whole.data.map((row) => row.group[0])).size, whole.meta.truncated]).toEqual([6, false]);
  });

  it('the largest of two groups is the one with more rows', async () => {
    const { data, meta } = await api.chart(request({ seriesLimit: 1 }, series({ groupBy: ['SeverityText'] })));
    expect([new Set(data.flatMap((row) => row.group)), meta.truncated]).toEqual([new Set(['info']), true]);
  });
});

describe('tenants (decisions F2, S2)', () => {
  it('another team’s source: 404 exactly as an unknown one', async () => {
    const foreign = await api.sourceId('log', otherTenant);
    const text = 'Source not found for series 0';
    expect(await api.rejection(request({}, series({ sourceId: foreign })))).toEqual([404, text]);
    expect(await api.rejection(request({}, series({ sourceId: 'ffffffffffffffffffffffff' })))).toEqual([404, text]);
  });

  it('names the series whose source is missing', async () => {
    const body = request({}, series(), series({ sourceId: 'nonsense' }));
    expect(await api.rejection(body)).toEqual([404, 'Source not found for series 1']);
  });

  it('a stored source that names another tenant’s database is rejected when it is read', async () => {
    const { sources } = api.parts;
    const own = await sources.find(tenant.id, logs);
    if (own?.kind !== 'log') throw new Error('no log source');
    const from = { databaseName: 'otel_other', tableName: 'otel_logs' };
    await sources.insert(tenant.id, { ...own, id: 'e00000000000000000000001', from });
    const [status, text] = await api.rejection(request({}, series({ sourceId: 'e00000000000000000000001' })));
    expect([status, text]).toEqual([400, expect.stringContaining('names a database that')]);
    await sources.remove(tenant.id, 'e00000000000000000000001');
  });
});

describe('contract §5.4: tableFilterExpression holds for every query of the source; some rely on it for isolation', () => {
  async function filteredSource(tableFilterExpression: string): Promise<string> {
    const own = await api.parts.sources.find(tenant.id, logs);
    if (own?.kind !== 'log') throw new Error('no log source');
    const id = randomIds.hex24();
    await api.parts.sources.insert(tenant.id, { ...own, id, name: 'Web only', tableFilterExpression });
    return id;
  }
  const countOf = async (sourceId: string, ...wheres: string[]) => {
    const all = wheres.map((where) => series({ sourceId, where }));
    const { data } = await api.chart(request({ granularity: '1d' }, ...all));
    return wheres.map((_, index) => data.reduce((sum, row) => sum + Number(row[`series_${index}.data`] ?? 0), 0));
  };

  it('rows beyond it are never counted, whatever the filter of the request says', async () => {
    const web = await filteredSource("ServiceName = 'web'");
    expect(await countOf(web, '')).toEqual([3]);
    expect(await countOf(web, 'ServiceName:api')).toEqual([0]);
    expect(await countOf(web, 'SeverityText:error OR ServiceName:*', 'NOT x')).toEqual([3, 3]);
  });

  it('a filter with OR is one condition', async () => {
    const both = await filteredSource("ServiceName = 'web' OR ServiceName = 'none'");
    expect(await countOf(both, 'SeverityText:error')).toEqual([1]);
  });

  it.each(["ServiceName = 'web", 'Gone = 1', 'file(Body)'])(
    'a source whose filter %s can’t be applied is not read: 400 that names it, with the position',
    async (filter) => {
      const refused = await api.rejection(request({}, series({ sourceId: await filteredSource(filter) })));
      expect(refused).toEqual([
        400,
        expect.stringMatching(/^The source "Web only" can't be read: tableFilterExpression: .* \(at position \d+\)$/),
      ]);
    },
  );
});
