import { beforeAll, describe, expect, it } from 'vitest';
import type {
  Facet,
  FieldValue,
  MetricNameRecord,
  SourceCheckResult,
  SourceField,
} from '../../../src/contract/completion.ts';
import { SourceInputSchema } from '../../../src/contract/source.ts';
import { bodyCheck } from '../../../src/http/schema-check.ts';
import { type TestAnswer, TestApi } from '../../../src/http/testing.ts';
import { FakeClock } from '../../../src/kernel/fake-clock.ts';
import { randomIds } from '../../../src/kernel/ids.ts';
import { CompletionService } from '../../../src/resources/completion/completion-service.ts';
import { FacetService } from '../../../src/resources/completion/facet-service.ts';
import { completionOperations } from '../../../src/resources/completion/operations/completion-operations.ts';
import { SourceCheckService } from '../../../src/resources/completion/source-check-service.ts';
import type { QueryRunner } from '../../../src/telemetry/ports.ts';
import { connectionOf } from '../../support/connection-record.ts';
import { ChartApi, type ChartDeps, minuteMs, otherTenant, t0, tenant } from '../charts/chart-api.ts';
import { insertRows, startStore } from '../charts/telemetry-rows.ts';
import { tenants } from '../sources/source-api.ts';

let charts: ChartApi;
let parts: ChartDeps;
/** Settings of the statements that were run. */
const asked: unknown[] = [];
let api: TestApi;
/** Reads at most 1000 rows for exact counts. */
let smallApi: TestApi;
let ids: Record<'log' | 'trace' | 'metric', string>;
let otherLogs: string;
const clock = new FakeClock();
const iso = (ms: number) => new Date(ms).toISOString();
const hour = { startTime: t0, endTime: t0 + 60 * minuteMs };
/** Minutes that are crowded: 100 events each. */
const crowded = { startTime: t0 - 180 * minuteMs, endTime: t0 - 80 * minuteMs };

beforeAll(async () => {
  const engine = await startStore();
  const runner: QueryRunner = {
    run: (query, options) => {
      asked.push(query.settings);
      return engine.queryRunner.run(query, options);
    },
  };
  charts = await ChartApi.over({ runner, schemas: engine.tableSchemas });
  parts = charts.parts;
  const operations = (facets: FacetService) =>
    new TestApi(
      'selfHosted',
      completionOperations({
        completions: new CompletionService(parts.readable, clock),
        facets,
        checks: new SourceCheckService({ ...parts, tenants, ids: randomIds }),
        checkInput: bodyCheck(SourceInputSchema),
      }),
    );
  api = operations(new FacetService(parts.readable, clock));
  smallApi = operations(new FacetService(parts.readable, clock, { exactRowsMax: 1_000, distinct: 100 }));
  ids = {
    log: await charts.sourceId('log'),
    trace: await charts.sourceId('trace'),
    metric: await charts.sourceId('metric'),
  };
  otherLogs = await charts.sourceId('log', otherTenant);
  const log = (minute: number, ServiceName: string, LogAttributes = {}) => ({
    TimestampMs: t0 + minute * minuteMs,
    ServiceName,
    SeverityText: 'info',
    SeverityNumber: 9,
    Body: 'hello',
    LogAttributes,
    ResourceAttributes: { 'k8s.pod.name': `${ServiceName}-1` },
  });
  await insertRows(engine.client, 'otel.otel_logs', [
    log(1, 'api', { 'http.status_code': '200', "it's": 'x' }),
    log(2, 'api', { 'http.status_code': '200' }),
    log(3, 'API-gateway', { 'http.status_code': '503' }),
    log(4, 'web'),
  ]);
  await insertRows(engine.client, 'otel_other.otel_logs', [log(1, 'foreign', { 'foreign.key': 'foreign' })]);
  await insertRows(engine.client, 'otel.otel_metrics_gauge', [
    { TimeUnixMs: t0 + minuteMs, MetricName: 'queue.length', MetricUnit: '1', MetricDescription: 'Waiting', Value: 3 },
  ]);
  await insertRows(engine.client, 'otel.otel_metrics_sum', [
    {
      TimeUnixMs: t0 + minuteMs,
      MetricName: 'http.requests',
      MetricUnit: '{request}',
      Value: 3,
      Attributes: { route: '/' },
    },
  ]);
  // 100 minutes of 100 events, three of four by "busy".
  await engine.client.command(
    `INSERT INTO otel.otel_logs (Timestamp, ServiceName, SeverityText, Body, TraceId)
     SELECT fromUnixTimestamp64Milli(toInt64(${crowded.startTime} + number * 600), 'UTC'),
       if(number % 4 = 0, 'calm', 'busy'), 'info', 'x', toString(number) FROM numbers(10000)`,
    { timeoutMs: 30_000 },
  );
  const span = (SpanName: string, rate: string) => {
    return { TimestampMs: t0 + minuteMs, ServiceName: 'sampled', SpanName, SpanAttributes: { rate } };
  };
  const spans = [span('checkout', '10'), span('checkout', '1'), span('browse', '10')];
  await insertRows(engine.client, 'otel.otel_traces', spans);
  clock.advance(t0 + 30 * minuteMs - clock.nowMs());
});

async function ok<T>(answer: Promise<TestAnswer>): Promise<T> {
  const { status, body, json } = await answer;
  if (status !== 200) throw new Error(`${status}: ${body}`);
  return (json as { data: T }).data;
}

const get = (path: string, key: 'admin' | 'other' | 'none' | 'reader' = 'admin') => api.send('GET', path, { key });
const fields = (id: string, query = '') => ok<SourceField[]>(get(`/sources/${id}/fields?${query}`));
const values = (id: string, query: string) => ok<FieldValue[]>(get(`/sources/${id}/values?${query}`));
const metrics = (id: string, query = '') => ok<MetricNameRecord[]>(get(`/sources/${id}/metrics?${query}`));
const facets = (body: object, through = api) =>
  through.send('POST', '/search/facets', { body: { sourceId: ids.log, ...hour, ...body } });
const rejection = async (sent: Promise<TestAnswer>): Promise<[number, string]> => {
  const { status, json } = await sent;
  return [status, (json as { message: string }).message];
};

describe('GET /sources/:id/fields', () => {
  it('columns with their types, then attribute keys of recent rows, each with its SQL', async () => {
    const all = await fields(ids.log);
    expect(all).toEqual(
      expect.arrayContaining([
        { name: 'Timestamp', kind: 'column', type: 'date', sql: 'Timestamp' },
        { name: 'ServiceName', kind: 'column', type: 'string', sql: 'ServiceName' },
        { name: 'SeverityNumber', kind: 'column', type: 'number', sql: 'SeverityNumber' },
        { name: 'LogAttributes', kind: 'column', type: 'map', sql: 'LogAttributes' },
        {
          name: 'LogAttributes.http.status_code',
          kind: 'attribute',
          type: 'string',
          sql: "LogAttributes['http.status_code']",
        },
        { name: "LogAttributes.it's", kind: 'attribute', type: 'string', sql: "LogAttributes['it\\'s']" },
        {
          name: 'ResourceAttributes.k8s.pod.name',
          kind: 'attribute',
          type: 'string',
          sql: "ResourceAttributes['k8s.pod.name']",
        },
      ]),
    );
    expect(all.map(({ name }) => name).filter((name) => /Items$|__hdx/.test(name))).toEqual([]);
    expect(JSON.stringify(all)).not.toContain('foreign');
  });

  it('by prefix in any case, and not more than the limit', async () => {
    expect((await fields(ids.log, 'prefix=logattributes.http')).map(({ name }) => name)).toEqual([
      'LogAttributes.http.status_code',
    ]);
    expect(await fields(ids.log, 'limit=3')).toHaveLength(3);
  });

  it('values can be requested for every SQL text and every name that it returns', async () => {
    for (const { name, sql, type } of await fields(ids.trace)) {
      if (type === 'map' || type === 'array') continue;
      for (const text of [name, sql]) await values(ids.trace, `field=${encodeURIComponent(text)}`);
    }
    expect(await values(ids.log, `field=${encodeURIComponent("LogAttributes['it\\'s']")}`)).toEqual([
      { value: 'x', count: 1 },
    ]);
  });

  it('of a metric source: the columns and attributes of all its tables', async () => {
    const names = (await fields(ids.metric)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['MetricName', 'IsMonotonic', 'BucketCounts', 'Attributes.route']));
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('GET /sources/:id/values', () => {
  it('the most frequent first, by prefix in any case', async () => {
    expect(await values(ids.log, 'field=ServiceName')).toEqual([
      { value: 'api', count: 2 },
      { value: 'API-gateway', count: 1 },
      { value: 'web', count: 1 },
    ]);
    expect(await values(ids.log, 'field=ServiceName&prefix=Api')).toEqual([
      { value: 'api', count: 2 },
      { value: 'API-gateway', count: 1 },
    ]);
    expect(await values(ids.log, 'field=ServiceName&limit=1')).toEqual([{ value: 'api', count: 2 }]);
  });

  it.each(['LogAttributes.http.status_code', "LogAttributes['http.status_code']", 'http.status_code'])(
    'of an attribute, written %s',
    async (field) => {
      const found = await values(ids.log, `field=${encodeURIComponent(field)}`);
      expect(found).toEqual([
        { value: '200', count: 2 },
        { value: '503', count: 1 },
      ]);
    },
  );

  it('in a range, in milliseconds or ISO 8601; without one the last hour, then the last day', async () => {
    const [start, end] = [t0 + 3 * minuteMs, t0 + 5 * minuteMs];
    const expected = [
      { value: 'API-gateway', count: 1 },
      { value: 'web', count: 1 },
    ];
    expect(await values(ids.log, `field=ServiceName&startTime=${start}&endTime=${end}`)).toEqual(expected);
    expect(await values(ids.log, `field=ServiceName&startTime=${iso(start)}&endTime=${iso(end)}`)).toEqual(expected);
    expect(await values(ids.log, 'field=ServiceName&prefix=calm')).toEqual([{ value: 'calm', count: 2500 }]);
  });

  it.each([
    ['lucene', 'http.status_code:200'],
    ['sql', "LogAttributes['http.status_code'] = '200'"],
  ])('only of the rows that a filter in %s finds', async (language, where) => {
    const query = `field=ServiceName&whereLanguage=${language}&where=${encodeURIComponent(where)}`;
    const all = await values(ids.log, 'field=ServiceName');
    const found = await values(ids.log, query);
    const count = (list: FieldValue[]) => list.reduce((sum, each) => sum + (each.count ?? 0), 0);
    expect([count(all), count(found)]).toEqual([4, 2]);
  });

  it('of metric sources: over all kinds of metrics', async () => {
    expect((await values(ids.metric, 'field=MetricName')).map(({ value }) => value)).toEqual([
      'http.requests',
      'queue.length',
    ]);
  });

  it.each([
    ['', 400, 'field: is required'],
    ["field=Gone['x']", 400, 'field: '],
    ['field=LogAttributes', 400, 'field: "LogAttributes" is a map'],
    ['field=sleep(1)', 400, 'field: "sleep" is not an allowed function'],
    ['field=ServiceName;drop', 400, 'field: '],
    ['field=ServiceName&limit=201', 400, 'limit: '],
    ['field=ServiceName&where=a%3A(', 400, 'where: '],
    ['field=ServiceName&where=1%3B&whereLanguage=sql', 400, 'where: '],
    ['field=ServiceName&startTime=yesterday', 400, 'startTime: must be Unix milliseconds'],
    ['field=ServiceName&startTime=2026-02-30T00:00:00Z', 400, 'startTime: must be Unix milliseconds'],
    [`field=ServiceName&startTime=5&endTime=4`, 400, 'endTime: must be later'],
  ])('rejects %s', async (query, status, reason) => {
    const [got, text] = await rejection(get(`/sources/${ids.log}/values?${query}`));
    expect([got, text]).toEqual([status, expect.stringContaining(reason)]);
    expect(text).not.toMatch(/FROM|otel_logs/);
  });
});

describe('GET /sources/:id/metrics', () => {
  it('by name, with type, unit and description', async () => {
    expect(await metrics(ids.metric)).toEqual([
      { name: 'http.requests', type: 'sum', unit: '{request}', description: '' },
      { name: 'queue.length', type: 'gauge', unit: '1', description: 'Waiting' },
    ]);
    expect((await metrics(ids.metric, 'prefix=QUEUE')).map(({ name }) => name)).toEqual(['queue.length']);
  });

  it('of another kind of source: 400', async () => {
    expect(await rejection(get(`/sources/${ids.log}/metrics`))).toEqual([400, expect.stringContaining('kind log')]);
  });
});

describe('POST /search/facets', () => {
  const wanted = ['ServiceName', 'LogAttributes.http.status_code'];

  it('all fields in one answer, exact in a small range', async () => {
    const { status, json } = await facets({ fields: wanted });
    expect(status).toBe(200);
    expect(json).toEqual({
      data: [
        {
          field: 'ServiceName',
          values: [
            { value: 'api', count: 2 },
            { value: 'API-gateway', count: 1 },
            { value: 'web', count: 1 },
          ],
          total: 4,
        },
        {
          field: 'LogAttributes.http.status_code',
          values: [
            { value: '200', count: 2 },
            { value: '503', count: 1 },
          ],
          total: 3,
        },
      ],
      meta: { sampled: false, rowsRead: 4, elapsedMs: expect.any(Number) },
    });
  });

  it('of the events that the filter leaves, in both languages', async () => {
    const lucene = await ok<Facet[]>(facets({ fields: wanted, where: 'ServiceName:web' }));
    expect(lucene.map(({ total }) => total)).toEqual([1, 0]);
    const sql = await ok<Facet[]>(facets({ fields: wanted, where: "ServiceName = 'api'", whereLanguage: 'sql' }));
    expect(sql.map(({ total }) => total)).toEqual([2, 2]);
  });

  it('not more values than the limit; the total counts all', async () => {
    const [facet] = await ok<Facet[]>(facets({ fields: ['ServiceName'], limit: 1 }));
    expect(facet).toEqual({ field: 'ServiceName', values: [{ value: 'api', count: 2 }], total: 4 });
  });

  it('a long range is estimated from parts spread over it, and says so', async () => {
    const answer = await facets({ ...crowded, fields: ['ServiceName'] }, smallApi);
    const { data, meta } = answer.json as { data: Facet[]; meta: { sampled: boolean } };
    expect(meta.sampled).toBe(true);
    const [facet] = data;
    expect(facet?.values.map(({ value }) => value)).toEqual(['busy', 'calm']);
    const [busy, calm] = facet?.values.map(({ count }) => count) ?? [];
    expect(busy).toBeGreaterThan(6_000);
    expect(busy).toBeLessThan(9_000);
    expect(calm).toBeGreaterThan(1_800);
    expect(calm).toBeLessThan(3_200);
  });

  it('more distinct values than are counted: sampled', async () => {
    const range = { startTime: crowded.startTime, endTime: crowded.startTime + 5 * minuteMs };
    const answer = await facets({ ...range, fields: ['TraceId'] }, smallApi);
    expect(answer.json).toMatchObject({ meta: { sampled: true } });
  });

  it.each([
    ['no field', { fields: [] }, 'fields: '],
    ['21 fields', { fields: Array(21).fill('Body') }, 'fields: '],
    ['no such column', { fields: ['Body', "Gone['x']"] }, 'fields.1: '],
    ['a subquery', { fields: ['(SELECT 1)'] }, 'fields.0: '],
    ['broken Lucene', { fields: ['Body'], where: '(a' }, 'where: '],
    ['broken SQL', { fields: ['Body'], where: 'a = ', whereLanguage: 'sql' }, 'where: '],
    ['an empty range', { fields: ['Body'], startTime: 5, endTime: 5 }, 'endTime: '],
    ['a source of metrics', { fields: ['MetricName'], sourceId: '' }, 'sourceId: '],
  ])('rejects %s with 400 and the path', async (_, change, reason) => {
    const [status, text] = await rejection(facets(change));
    expect([status, text]).toEqual([400, expect.stringContaining(reason)]);
  });
});

describe('POST /sources/check', () => {
  const check = async (change: object, of: 'log' | 'metric' = 'log', key: 'admin' | 'other' = 'admin') => {
    const stored = await parts.sources.find(tenant.id, ids[of]);
    return ok<SourceCheckResult>(api.send('POST', '/sources/check', { body: { ...stored, ...change }, key }));
  };

  it.each(['log', 'metric'] as const)(
    'the default source of kind %s is all right; its columns are reported',
    async (kind) => {
      const { ok: fits, problems, columns } = await check({}, kind);
      expect([fits, problems]).toEqual([true, []]);
      expect(columns).toContainEqual({ name: 'ServiceName', type: 'LowCardinality(String)' });
    },
  );

  it('nothing is stored', async () => {
    const before = await parts.sources.list(tenant.id);
    await check({ name: 'new' });
    expect(await parts.sources.list(tenant.id)).toEqual(before);
  });

  it.each([
    ['schema', { name: '' }, 'name'],
    ['connection', { connection: 'gone' }, 'connection'],
    ['foreign database', { from: { databaseName: 'otel_other', tableName: 'otel_logs' } }, 'from.databaseName'],
    ['missing table', { from: { databaseName: 'otel', tableName: 'gone' } }, 'from.tableName'],
    ['timestamp', { timestampValueExpression: 'Body' }, 'timestampValueExpression'],
    ['select', { defaultTableSelectExpression: 'Body, Gone.x' }, 'defaultTableSelectExpression'],
    ['body', { bodyExpression: 'Gone.x' }, 'bodyExpression'],
    ['filter that is no SQL', { tableFilterExpression: 'a = ' }, 'tableFilterExpression'],
    ['filter on a column that is gone', { tableFilterExpression: 'Gone.x = 1' }, 'tableFilterExpression'],
  ])('finds what is wrong: %s', async (_, change, path) => {
    const { ok: fits, problems } = await check(change);
    expect(fits).toBe(false);
    expect(problems).toContainEqual({ path, message: expect.stringMatching(/./) });
  });

  it('an unreachable connected database is a problem of the connection, not a failure', async () => {
    const id = randomIds.hex24();
    const remote = { ...connectionOf(), id };
    await parts.connections.insert(tenant.id, remote);
    expect((await check({ connection: id })).problems).toEqual([
      { path: 'connection', message: expect.stringContaining('could not be queried') },
    ]);
  });

  it('decisions F2: another tenant’s connection is a missing one', async () => {
    expect((await check({}, 'log', 'other')).problems).toEqual([
      { path: 'connection', message: 'there is no such connection.' },
    ]);
  });
});

describe('isolation (decisions F2)', () => {
  it('another tenant’s source is a missing one', async () => {
    for (const question of ['fields', 'values?field=Body', 'metrics']) {
      expect(await rejection(get(`/sources/${otherLogs}/${question}`))).toEqual([404, 'Source not found']);
      expect((await get(`/sources/${ids.log}/${question}`, 'none')).status).toBe(401);
    }
    expect(await rejection(facets({ fields: ['Body'], sourceId: otherLogs }))).toEqual([404, 'Source not found']);
  });

  it('the source’s tableFilterExpression holds for fields, values and facets', async () => {
    const own = await parts.sources.find(tenant.id, ids.log);
    if (own?.kind !== 'log') throw new Error('no log source');
    const id = randomIds.hex24();
    await parts.sources.insert(tenant.id, { ...own, id, tableFilterExpression: "ServiceName = 'web'" });
    expect((await fields(id)).filter(({ name }) => name.startsWith('LogAttributes.'))).toEqual([]);
    expect(await values(id, 'field=ServiceName')).toEqual([{ value: 'web', count: 1 }]);
    const [facet] = await ok<Facet[]>(facets({ sourceId: id, fields: ['ServiceName'] }));
    expect(facet?.total).toBe(1);
  });

  it('the source’s querySettings go along with charts, fields, values and facets, below the limits', async () => {
    const own = await parts.sources.find(tenant.id, ids.log);
    if (own?.kind !== 'log') throw new Error('no log source');
    const id = randomIds.hex24();
    const querySettings = [{ setting: 'max_threads', value: '1' }];
    await parts.sources.insert(tenant.id, { ...own, id, querySettings });
    asked.length = 0;
    const series = [{ sourceId: id, aggFn: 'count', where: '', groupBy: [] }];
    await charts.chart({ ...hour, granularity: '1h', series });
    await fields(id);
    await values(id, 'field=ServiceName');
    await ok<Facet[]>(facets({ sourceId: id, fields: ['ServiceName'] }));
    expect(asked.length).toBeGreaterThanOrEqual(4);
    for (const settings of asked) expect(settings).toMatchObject({ max_threads: 1, readonly: 1 });
  });

  it('facets count sampled spans with their weight, as charts do', async () => {
    const own = await parts.sources.find(tenant.id, ids.trace);
    if (own?.kind !== 'trace') throw new Error('no trace source');
    const id = randomIds.hex24();
    await parts.sources.insert(tenant.id, { ...own, id, sampleRateExpression: "SpanAttributes['rate']" });
    const count = async (sourceId: string) => {
      const [facet] = await ok<Facet[]>(facets({ sourceId, fields: ['SpanName'], where: 'ServiceName:sampled' }));
      return facet;
    };
    const values = [
      { value: 'checkout', count: 11 },
      { value: 'browse', count: 10 },
    ];
    expect(await count(id)).toEqual({ field: 'SpanName', values, total: 21 });
    expect(await count(ids.trace)).toMatchObject({ total: 3 });
  });

  it('a disabled source: 400', async () => {
    const own = await parts.sources.find(tenant.id, ids.log);
    if (!own) throw new Error('no log source');
    const id = randomIds.hex24();
    await parts.sources.insert(tenant.id, { ...own, id, disabled: true });
    expect(await rejection(get(`/sources/${id}/fields`))).toEqual([400, expect.stringContaining('is disabled')]);
  });
});
