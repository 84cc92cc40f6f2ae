import { beforeAll, describe, expect, it } from 'vitest';
import type { SearchAnswer } from '../../../src/contract/search.ts';
import { type TestAnswer, TestApi } from '../../../src/http/testing.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { FakeClock } from '../../../src/kernel/fake-clock.ts';
import { randomIds } from '../../../src/kernel/ids.ts';
import { compileSearch } from '../../../src/query/compile-search.ts';
import { sourceToSchema } from '../../../src/resources/charts/reading/source-to-schema.ts';
import { UnseenAttributes } from '../../../src/resources/charts/reading/unseen-attributes.ts';
import { searchEvents } from '../../../src/resources/search/operations/search-events.ts';
import { SearchService } from '../../../src/resources/search/search-service.ts';
import { TelemetryError, type TelemetryErrorKind } from '../../../src/telemetry/ports.ts';
import { FakeQueryRunner } from '../../../src/telemetry/testing.ts';
import type { TestEngine } from '../../support/start-engine.ts';
import { ChartApi, type ChartDeps, limits, minuteMs, otherTenant, t0, tenant } from '../charts/chart-api.ts';
import { insertRows, startStore } from '../charts/telemetry-rows.ts';

type EventRow = Record<string, unknown>;

let engine: TestEngine;
let parts: ChartDeps;
let api: TestApi;
let logs: string;
let traces: string;
const clock = new FakeClock();
/** The largest integer of 64 bits, far beyond what a JSON number holds. */
const largest = '18446744073709551615';

const apiOver = ({ readable }: ChartDeps) =>
  new TestApi('selfHosted', [
    searchEvents(new SearchService({ sources: readable, unseen: new UnseenAttributes(systemClock), limits, clock })),
  ]);
const iso = (ms: number) => new Date(ms).toISOString();
const hour = { startTime: iso(t0), endTime: iso(t0 + 60 * minuteMs) };

beforeAll(async () => {
  engine = await startStore();
  const charts = await ChartApi.over({ runner: engine.queryRunner, schemas: engine.tableSchemas });
  parts = charts.parts;
  api = apiOver(parts);
  [logs, traces] = [await charts.sourceId('log'), await charts.sourceId('trace')];
  const log = (minute: number, ServiceName: string, Body: string, LogAttributes = {}) => ({
    TimestampMs: t0 + minute * minuteMs,
    ServiceName,
    SeverityText: 'info',
    SeverityNumber: 9,
    Body,
    LogAttributes,
  });
  await insertRows(engine.client, 'otel.otel_logs', [
    log(1, 'api', 'order placed', { 'http.status': '200' }),
    log(2, 'web', 'page shown', {}),
    log(3, 'api', 'it’s 100% "done"', { 'http.status': '503' }),
    ...['d', 'b', 'a', 'c'].map((name) => log(5, 'twin', name)),
  ]);
  await insertRows(engine.client, 'otel_other.otel_logs', [log(1, 'secret', 'of another team')]);
  await insertRows(engine.client, 'otel.otel_traces', [
    { TimestampMs: t0 + minuteMs, ServiceName: 'api', SpanName: 'GET /', StatusCode: 'Ok', Duration: 2_000_000 },
    { TimestampMs: t0 + minuteMs, ServiceName: 'api', SpanName: 'huge', StatusCode: 'Ok', Duration: largest },
  ]);
  clock.advance(t0 + 4 * minuteMs - clock.nowMs());
});

const post = (body: object, key: 'admin' | 'other' | 'none' | 'reader' = 'admin'): Promise<TestAnswer> =>
  api.send('POST', '/search', { body, key });

async function search(body: object): Promise<EventRow[]> {
  const answer = await post({ sourceId: logs, ...hour, ...body });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body}`);
  const { data, rows } = answer.json as { data: EventRow[]; rows: number };
  expect(rows).toBe(data.length);
  return data;
}

async function rejection(body: object): Promise<[number, string]> {
  const answer = await post({ sourceId: logs, ...hour, ...body });
  return [answer.status, (answer.json as { message: string }).message];
}

describe('POST /search (contract §7)', () => {
  it('answers exactly {data, rows, meta}: the source’s own columns, newest first, times as ISO 8601', async () => {
    const answer = await post({ sourceId: logs, ...hour, where: 'ServiceName:(api OR web)', maxResults: 2 });
    expect(answer.status).toBe(200);
    const at = (minute: number) => iso(t0 + minute * minuteMs).replace('.000Z', '.000000000Z');
    expect(answer.json).toEqual({
      data: [
        { Timestamp: at(3), ServiceName: 'api', SeverityText: 'info', Body: 'it’s 100% "done"' },
        { Timestamp: at(2), ServiceName: 'web', SeverityText: 'info', Body: 'page shown' },
      ],
      rows: 2,
      meta: { rowsRead: expect.any(Number), elapsedMs: expect.any(Number) },
    });
  });

  it('times are absent: the last 15 minutes before now', async () => {
    const answer = await post({ sourceId: logs, select: 'Body' });
    expect((answer.json as { rows: number }).rows).toBe(3);
  });

  it('the range is half-open', async () => {
    const range = { startTime: iso(t0 + minuteMs), endTime: iso(t0 + 3 * minuteMs) };
    expect(await search({ ...range, select: 'Body' })).toEqual([{ Body: 'page shown' }, { Body: 'order placed' }]);
  });

  it('select takes columns, attributes, maps and allowed functions, keyed by alias or text', async () => {
    const select = "upper(ServiceName) AS service, LogAttributes, http.status AS status, LogAttributes['http.status']";
    expect(await search({ select, where: 'placed' })).toEqual([
      {
        service: 'API',
        LogAttributes: { 'http.status': '200' },
        status: '200',
        "LogAttributes['http.status']": '200',
      },
    ]);
  });

  it('small integers are numbers, those of 64 bits text, exactly', async () => {
    expect(await search({ select: 'SeverityNumber, length(Body) AS n', where: 'placed' })).toEqual([
      { SeverityNumber: 9, n: '12' },
    ]);
    const spans = await search({ sourceId: traces, select: 'SpanName, Duration', orderBy: 'Duration DESC' });
    expect(spans).toEqual([
      { SpanName: 'huge', Duration: largest },
      { SpanName: 'GET /', Duration: '2000000' },
    ]);
  });

  it('spans: the source’s own columns, bare words search the name', async () => {
    expect(await search({ sourceId: traces, where: 'GET' })).toEqual([
      {
        Timestamp: expect.any(String),
        ServiceName: 'api',
        StatusCode: 'Ok',
        'round(Duration / 1e6)': 2,
        SpanName: 'GET /',
      },
    ]);
  });

  it('SQL filters, and orderBy by columns', async () => {
    const where = "ServiceName = 'twin' AND Body != 'a'";
    const rows = await search({ where, whereLanguage: 'sql', select: 'Body', orderBy: 'ServiceName, Body DESC' });
    expect(rows.map(({ Body }) => Body)).toEqual(['d', 'c', 'b']);
  });

  it.each([
    ['Body DESC', ['d', 'c', 'b', 'a']],
    ['(toStartOfHour(TimestampTime), Body) DESC', ['a', 'b', 'c', 'd']],
  ])(
    'contract §7: without orderBy the source’s orderByExpression %s, where it is made of columns',
    async (own, expected) => {
      const source = await parts.sources.find(tenant.id, logs);
      if (source?.kind !== 'log') throw new Error('no log source');
      const id = randomIds.hex24();
      await parts.sources.insert(tenant.id, { ...source, id, orderByExpression: own });
      const rows = await search({ sourceId: id, where: 'ServiceName:twin', select: 'Body' });
      expect(rows.map(({ Body }) => Body)).toEqual(expected);
    },
  );

  it('pages neither repeat nor skip events of the same instant', async () => {
    const found: unknown[] = [];
    for (let offset = 0; offset < 4; offset++) {
      const page = await search({ where: 'ServiceName:twin', select: 'Body', maxResults: 1, offset });
      found.push(...page.map(({ Body }) => Body));
    }
    expect(found).toEqual(['a', 'b', 'c', 'd']);
    expect(await search({ where: 'ServiceName:twin', offset: 4 })).toEqual([]);
  });

  it('an alias that looks like part of the language is only a key', async () => {
    expect(await search({ select: 'Body AS __proto__', where: 'placed' })).toHaveLength(1);
    expect((await post({ sourceId: logs, ...hour, select: 'Body AS __proto__', where: 'placed' })).body).toContain(
      '{"__proto__":"order placed"}',
    );
  });
});

describe('what users reported', () => {
  const trace = 'c0ffee00c0ffee00c0ffee00c0ffee00';
  const waterfall =
    'Timestamp, SpanId, ParentSpanId, SpanName, ServiceName, Duration, StatusCode, StatusMessage, SpanKind, ' +
    'SpanAttributes, ResourceAttributes, Events.Timestamp, Events.Name, Events.Attributes';

  it('events within one millisecond keep their nanoseconds, in time and in order', async () => {
    const command = `INSERT INTO otel.otel_logs (Timestamp, ServiceName, Body)
      SELECT addNanoseconds(fromUnixTimestamp64Milli(toInt64(${t0}), 'UTC'), number), 'nano', toString(number)
      FROM numbers(12)`;
    await engine.client.command(command, { timeoutMs: 30_000 });
    const rows = await search({ where: 'ServiceName:nano', select: 'Timestamp, Body' });
    expect(rows.map(({ Body }) => Body)).toEqual(Array.from({ length: 12 }, (_, at) => String(11 - at)));
    expect(rows[1]?.Timestamp).toBe(iso(t0).replace('.000Z', '.000000010Z'));
  });

  it('a whole trace of 2000 spans in one answer: maps and arrays as JSON', async () => {
    await engine.client.command(
      `INSERT INTO otel.otel_traces (Timestamp, TraceId, SpanId, ParentSpanId, SpanName, ServiceName, SpanAttributes,
         \`Events.Timestamp\`, \`Events.Name\`, \`Events.Attributes\`)
       SELECT addMilliseconds(fromUnixTimestamp64Milli(toInt64(${t0}), 'UTC'), number), '${trace}', toString(number), '0',
         'step', 'api', map('http.route', '/'), [fromUnixTimestamp64Milli(toInt64(${t0}), 'UTC')], ['exception'],
         [map('exception.type', 'Error')]
       FROM numbers(2000)`,
      { timeoutMs: 30_000 },
    );
    const body = { sourceId: traces, where: `TraceId:"${trace}"`, select: waterfall, orderBy: 'Timestamp' };
    const spans = await search({ ...body, maxResults: 2000 });
    expect(spans).toHaveLength(2000);
    expect(spans[7]).toMatchObject({
      SpanId: '7',
      ParentSpanId: '0',
      Duration: '0',
      SpanAttributes: { 'http.route': '/' },
      'Events.Timestamp': [iso(t0).replace('.000Z', '.000000000Z')],
      'Events.Name': ['exception'],
      'Events.Attributes': [{ 'exception.type': 'Error' }],
    });
  });

  it('finding a trace uses the index on TraceId', async () => {
    const table = await engine.tableSchemas.describe('otel', 'otel_traces');
    const source = await parts.sources.find(tenant.id, traces);
    if (!table || source?.kind !== 'trace') throw new Error('no trace source');
    const schema = sourceToSchema(source, undefined, table);
    if (schema.kind === 'metric') throw new Error('no trace source');
    const query = {
      range: { startMs: t0, endMs: t0 + 60 * minuteMs },
      where: `TraceId:"${trace}"`,
      whereLanguage: 'lucene' as const,
      select: ['SpanId'],
      limit: 10,
      offset: 0,
    };
    const { sql, params } = compileSearch(query, schema, { ...limits, database: 'otel' });
    const plan = await engine.client.query(`EXPLAIN indexes = 1, distributed = 1 ${sql}`, {
      params,
      timeoutMs: 30_000,
    });
    expect(plan.columns[0]?.join('\n')).toContain('idx_trace_id');
  });

  it.each([
    ["Nosuch['x'] = 1", 'sql', 'Nosuch'],
    ['a AND (b', 'lucene', 'position'],
    ['a AND (b', 'sql', 'position'],
    ['Body:[1 TO', 'lucene', 'position'],
    ['Body:"open', 'lucene', 'position'],
    ["Nosuch['x']:1", 'lucene', 'Nosuch'],
  ])(
    'U-73 a mistake in %s (%s) is 400, with what is wrong and no word of the database',
    async (where, whereLanguage, reported) => {
      const [status, text] = await rejection({ where, whereLanguage });
      expect([status, text]).toEqual([400, expect.stringContaining(reported)]);
      expect(text).not.toMatch(/SELECT|otel/);
    },
  );

  it('U-73 a name that is neither a column nor an attribute of an event is a warning, with the nearest names', async () => {
    const warningsOf = async (change: Record<string, unknown>) => {
      const { status, json } = await post({ sourceId: logs, ...hour, ...change });
      return [status, (json as SearchAnswer).meta.warnings];
    };
    const unseen = expect.stringMatching(
      /^"http.statu" is no column, .*; did you mean "http.status"\? \(at position 8\)$/,
    );
    expect(await warningsOf({ where: 'Body:ab http.statu:503' })).toEqual([200, [{ path: 'where', message: unseen }]]);
    expect(await warningsOf({ where: 'http.status:503' })).toEqual([200, undefined]);
    expect(await warningsOf({ select: 'Body, Bodi' })).toEqual([
      200,
      [{ path: 'select.1', message: expect.stringContaining('did you mean "Body"') }],
    ]);
  });

  it('U-75 keys with dots are found in every spelling, and shown', async () => {
    const spellings = ['http.status:503', 'LogAttributes.http.status:503', 'LogAttributes.http.status:"503"'];
    for (const where of spellings) {
      expect(await search({ where, select: 'LogAttributes.http.status AS status' })).toEqual([{ status: '503' }]);
    }
    const where = "LogAttributes['http.status'] = '503'";
    expect(await search({ where, whereLanguage: 'sql', select: 'http.status' })).toEqual([{ 'http.status': '503' }]);
  });
});

describe('isolation', () => {
  it('decisions F2: another tenant’s source is a missing one, and no row of another database is found', async () => {
    const other = (await parts.sources.list(otherTenant.id)).find(({ kind }) => kind === 'log');
    expect(await rejection({ sourceId: other?.id })).toEqual([404, 'Source not found']);
    expect(JSON.stringify(await search({ where: '' }))).not.toContain('another team');
  });

  it('contract §5.4: the source’s tableFilterExpression applies; one that can’t be applied: 400', async () => {
    const own = await parts.sources.find(tenant.id, logs);
    if (own?.kind !== 'log') throw new Error('no log source');
    const filtered = { ...own, id: randomIds.hex24(), name: 'Web only', tableFilterExpression: "ServiceName = 'web'" };
    await parts.sources.insert(tenant.id, filtered);
    const where = "ServiceName = 'api' OR 1 = 1";
    const found = await search({ sourceId: filtered.id, where, whereLanguage: 'sql', select: 'ServiceName' });
    expect(found).toEqual([{ ServiceName: 'web' }]);
    await parts.sources.replace(tenant.id, { ...filtered, tableFilterExpression: "Gone['x'] = 1" });
    expect(await rejection({ sourceId: filtered.id })).toEqual([
      400,
      expect.stringMatching(/^The source "Web only" can't be read: tableFilterExpression: .* \(at position 0\)$/),
    ]);
  });

  it('401 without a key; a key that may only read may search', async () => {
    expect((await post({ sourceId: logs, ...hour }, 'none')).status).toBe(401);
    expect((await post({ sourceId: logs, ...hour }, 'reader')).status).toBe(200);
  });
});

describe('rejections name the path, and in a text the position', () => {
  it.each([
    ['sourceId missing', { sourceId: undefined }, 400, 'sourceId: is required'],
    ['sourceId malformed', { sourceId: 'x' }, 400, 'sourceId: '],
    ['sourceId unknown', { sourceId: 'f'.repeat(24) }, 404, 'Source not found'],
    ['start after end', { startTime: hour.endTime }, 400, 'endTime: must be later than startTime.'],
    ['time as a number', { startTime: t0 }, 400, 'startTime: must be a string'],
    ['time without a zone', { endTime: '2026-01-31T12:00:00' }, 400, 'endTime: must be an ISO 8601'],
    ['no such day', { endTime: '2026-02-31T12:00:00Z' }, 400, 'endTime: must be an ISO 8601'],
    ['maxResults 0', { maxResults: 0 }, 400, 'maxResults: must be at least 1'],
    ['maxResults beyond', { maxResults: 2001 }, 400, 'maxResults: must be at most 2000'],
    ['offset beyond', { offset: 10_001 }, 400, 'offset: must be at most 10000'],
    ['where too long', { where: 'x'.repeat(8193) }, 400, 'where: must have at most 8192'],
    ['broken Lucene', { where: '(Body:a' }, 400, 'where: '],
    ['second statement', { select: 'Body; DROP TABLE x' }, 400, 'select.0: '],
    ['subquery', { select: 'Body, (SELECT 1)' }, 400, 'select.1: '],
    ['table function', { select: "file('x')" }, 400, 'select.0: "file" is not an allowed function'],
    ['unknown column', { select: "Gone['x']" }, 400, 'select.0: "Gone": there is no column'],
    ['no column', { select: ',' }, 400, 'select: names no column.'],
    ['too many columns', { select: Array(101).fill('Body').join() }, 400, 'select: must have at most 100 columns'],
    ['order by an expression', { orderBy: 'rand()' }, 400, 'orderBy: a column with ASC or DESC is expected here'],
    ['order by no column', { orderBy: 'Timestamp, Gone' }, 400, 'orderBy: there is no column "Gone"'],
  ])('%s', async (_, change, status, reason) => {
    const [got, text] = await rejection(change);
    expect([got, text]).toEqual([status, expect.stringContaining(reason)]);
    expect(text).not.toMatch(/FROM|otel_logs/);
  });

  it('only logs and traces; a disabled source; a connection that is gone', async () => {
    const all = await parts.sources.list(tenant.id);
    const metrics = all.find(({ kind }) => kind === 'metric');
    expect(await rejection({ sourceId: metrics?.id })).toEqual([400, expect.stringContaining('only logs and traces')]);
    const own = await parts.sources.find(tenant.id, logs);
    if (!own) throw new Error('no log source');
    const change = async (fields: object): Promise<string> => {
      const id = randomIds.hex24();
      await parts.sources.insert(tenant.id, { ...own, ...fields, id });
      return id;
    };
    const disabled = await change({ disabled: true });
    expect(await rejection({ sourceId: disabled })).toEqual([400, expect.stringContaining('is disabled')]);
    const orphan = await change({ connection: 'gone' });
    expect(await rejection({ sourceId: orphan })).toEqual([
      404,
      'The connection of the source "Logs" no longer exists.',
    ]);
    const foreign = await change({ from: { databaseName: 'otel_other', tableName: 'otel_logs' } });
    expect(await rejection({ sourceId: foreign })).toEqual([400, expect.stringContaining('names a database')]);
    const missing = await change({ from: { databaseName: 'otel', tableName: 'gone' } });
    expect(await rejection({ sourceId: missing })).toEqual([400, 'The table of the source "Logs" does not exist.']);
  });

  it.each<[TelemetryErrorKind, number]>([
    ['timeout', 504],
    ['unavailable', 503],
    ['limit', 400],
    ['failed', 500],
  ])('the store says %s: %d, without its text', async (kind, status) => {
    const runner = new FakeQueryRunner(() => {
      throw new TelemetryError(kind, 'Code: 1. SELECT c0 FROM otel.otel_logs at 10.0.0.1');
    });
    const columns = new Map([['Timestamp', 'DateTime64(9)']]);
    const schemas = { describe: async (database: string, table: string) => ({ database, table, columns }) };
    const failing = await ChartApi.over({ runner, schemas });
    const sourceId = await failing.sourceId('log');
    const body = { sourceId, ...hour, select: 'Timestamp' };
    const answer = await apiOver(failing.parts).send('POST', '/search', { body });
    expect(answer.status).toBe(status);
    expect(answer.body).not.toMatch(/SELECT|otel|10\.0/);
  });
});
