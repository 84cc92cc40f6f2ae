import { beforeAll, describe, expect, it } from 'vitest';
import { TelemetryError, type TelemetryErrorKind } from '../../../src/telemetry/ports.ts';
import { FakeQueryRunner } from '../../../src/telemetry/testing.ts';
import { ChartApi, hourMs, limits, t0, tenant } from './chart-api.ts';

/** The columns of the store's tables that these requests touch; nothing here reaches an engine. */
const columns = new Map([
  ['Timestamp', 'DateTime64(9)'],
  ['TimestampTime', 'DateTime'],
  ['Body', 'String'],
  ['ServiceName', 'LowCardinality(String)'],
  ['LogAttributes', 'Map(LowCardinality(String), String)'],
  ['ResourceAttributes', 'Map(LowCardinality(String), String)'],
]);

const runner = new FakeQueryRunner();
let api: ChartApi;
let logs: string;

beforeAll(async () => {
  const schemas = {
    describe: async (database: string, table: string) =>
      table === 'missing' ? undefined : { database, table, columns },
  };
  api = await ChartApi.over({ runner, schemas });
  logs = await api.sourceId('log');
});

const one = (change: object = {}) => ({ sourceId: logs, aggFn: 'count', where: '', groupBy: [], ...change });
const body = (change: object = {}) => ({ startTime: t0, endTime: t0 + hourMs, series: [one()], ...change });

describe('availability and keys', () => {
  it('401 without key and with a wrong one', async () => {
    expect((await api.post(body(), 'none')).status).toBe(401);
  });

  it('seed: POST only; another method is 404 as JSON (decisions F3)', async () => {
    const answer = await api.send('GET', '/charts/series');
    expect([answer.status, answer.json]).toEqual([404, expect.objectContaining({ message: expect.any(String) })]);
  });

  it('a body that is not JSON: 400 in both keys', async () => {
    const answer = await api.send('POST', '/charts/series', { text: '{' });
    const text = expect.any(String);
    expect([answer.status, answer.json]).toEqual([400, { message: text, error: text }]);
  });

  it('a key that may only read may query charts', async () => {
    expect((await api.send('POST', '/charts/series', { body: body(), key: 'reader' })).status).toBe(200);
  });
});

describe('400 with path and reason, in message and error (decisions F5, C6)', () => {
  it.each([
    ['no series', { series: [] }, 'series: must have at least 1 item'],
    ['series missing', { series: undefined }, 'series: is required'],
    ['eleven series (C4)', { series: Array(11).fill(one()) }, 'series: must have at most 10 items'],
    ['time as text', { startTime: '2025-01-15' }, 'startTime: must be an integer'],
    ['fraction', { endTime: t0 + 0.5 }, 'endTime: must be an integer'],
    ['seconds instead of milliseconds', { startTime: 142_415_152 }, 'startTime: must be Unix time in milliseconds'],
    ['a year beyond the clock', { endTime: 99_999_999_999_999 }, 'endTime: must be Unix time in milliseconds'],
    ['start equals end (C2)', { endTime: t0 }, 'endTime: must be later than startTime.'],
    ['start after end (C2)', { endTime: t0 - 1 }, 'endTime: must be later than startTime.'],
    ['granularity 0h', { granularity: '0h' }, 'such as 30s or 1h, not "0h"'],
    ['granularity 1x', { granularity: '1x' }, 'such as 30s or 1h, not "1x"'],
    ['granularity 1.5h', { granularity: '1.5h' }, 'such as 30s or 1h, not "1.5h"'],
    ['fill', { fill: 'previous' }, 'fill: must be one of null, zero'],
    ['return type', { seriesReturnType: 'rows' }, 'seriesReturnType: must be one of ratio, column'],
    ['ratio of one series', { seriesReturnType: 'ratio' }, 'seriesReturnType: a ratio needs exactly two series'],
    ['seriesLimit', { seriesLimit: 0 }, 'seriesLimit: must be at least 1'],
  ])('%s', async (_, change, reason) => {
    expect(await api.rejection(body(change))).toEqual([400, expect.stringContaining(reason)]);
  });

  it.each([
    ['aggFn', { aggFn: 'median' }, 'series.0.aggFn: must be one of'],
    ['none without an expression', { aggFn: 'none' }, 'series.0.field: is required for none'],
    ['none of a column', { aggFn: 'none', field: 'Body' }, 'series.0.field: "Body" is outside of an aggregate'],
    ['change of an event', { periodAggFn: 'delta' }, 'series.0.periodAggFn: delta is for gauges'],
    ['groupBy as text', { groupBy: 'ServiceName' }, 'series.0.groupBy: must be an array'],
    ['eleven groups', { groupBy: Array(11).fill('Body') }, 'series.0.groupBy: must have at most 10 items'],
    ['level', { aggFn: 'quantile', field: 'Body', level: 1.5 }, 'series.0.level: must be at most 1'],
    ['language', { whereLanguage: 'kql' }, 'series.0.whereLanguage: must be one of lucene, sql'],
    ['where missing', { where: undefined }, 'series.0.where: is required'],
    ['field missing', { aggFn: 'avg' }, 'series.0.field: is required for avg.'],
    ['field blank', { aggFn: 'sum', field: ' ' }, 'series.0.field: is required for sum.'],
    ['metric on logs', { metricName: 'cpu', metricDataType: 'gauge' }, 'series.0.metricName: this source holds no'],
    ['increase on logs', { aggFn: 'increase', field: 'Body' }, 'series.0.aggFn: increase needs a metric source.'],
  ])('%s', async (_, change, reason) => {
    expect(await api.rejection(body({ series: [one(change)] }))).toEqual([400, expect.stringContaining(reason)]);
  });

  it.each([
    ['broken Lucene', { where: '(Body:a' }, 'series.1.where: '],
    ['broken SQL', { where: "Body = 'a' AND", whereLanguage: 'sql' }, 'series.1.where: '],
    ['subquery', { where: 'Body IN (SELECT 1)', whereLanguage: 'sql' }, 'series.1.where: '],
    ['second statement', { where: '1=1; DROP TABLE x', whereLanguage: 'sql' }, 'series.1.where: '],
    ['unknown column', { where: "Foo['x'] = 'a'", whereLanguage: 'sql' }, 'series.1.where: '],
    ['unknown function', { aggFn: 'max', field: 'file(Body)' }, 'series.1.field: '],
  ])('%s: with the path in the request and the position', async (_, change, path) => {
    const [status, text] = await api.rejection(body({ series: [one(), one(change)] }));
    expect([status, text]).toEqual([400, expect.stringContaining(path)]);
    expect(text).toMatch(/\(at position \d+\)$/);
    expect(text).not.toMatch(/SELECT .* FROM|otel_logs/);
  });

  it('a groupBy that does not parse', async () => {
    const answer = await api.rejection(body({ series: [one({ groupBy: ['Body', 'Foo.'] })] }));
    expect(answer).toEqual([400, expect.stringMatching(/^series\.0\.groupBy\.1: /)]);
  });

  it('decisions C4: different groupBy', async () => {
    const series = [one({ groupBy: ['Body'] }), one({ groupBy: [] })];
    expect(await api.rejection(body({ series }))).toEqual([
      400,
      'series.1.groupBy: must be the same as that of series 0.',
    ]);
  });

  it('decisions C3: too many buckets; the text says which granularity would fit, and that fits', async () => {
    const week = { endTime: t0 + 7 * 24 * hourMs, granularity: '1s' };
    const [status, text] = await api.rejection(body(week));
    expect([status, text]).toEqual([400, expect.stringContaining('makes 604800 buckets over this range')]);
    const fitting = /, for example with (\w+)\./.exec(text)?.[1];
    expect(fitting).toBe('5m');
    expect((await api.post(body({ ...week, granularity: fitting }))).status).toBe(200);
  });

  it('fill that makes too many rows', async () => {
    runner.answer = () => ({
      names: [],
      types: [],
      columns: [
        Array(100).fill(t0),
        Array.from({ length: 100 }, (_, i) => `g${i}`),
        Array(100).fill(1),
        Array(100).fill(1),
      ],
      rows: 100,
      rowsRead: 100,
      bytesRead: 800,
      elapsedMs: 1,
    });
    const answer = await api.rejection(body({ granularity: '1s', fill: 'zero', series: [one({ groupBy: ['Body'] })] }));
    expect(answer).toEqual([
      400,
      expect.stringContaining('fill: 3600 buckets of 100 groups are more than 250000 rows'),
    ]);
  });

  it.each([
    ['disabled', { disabled: true }, 'series.0.sourceId: the source "Logs" is disabled.'],
    ['without table', { from: { databaseName: 'otel', tableName: 'missing' } }, 'The table of the source "Logs" does'],
    ['without time column', { timestampValueExpression: 'Body' }, 'The timestamp expression of the source "Logs"'],
  ])('a source %s', async (_, change, reason) => {
    const own = await api.parts.sources.find(tenant.id, logs);
    if (own?.kind !== 'log') throw new Error('no log source');
    const id = 'e00000000000000000000003';
    await api.parts.sources.insert(tenant.id, { ...own, ...change, id });
    expect(await api.rejection(body({ series: [one({ sourceId: id })] }))).toEqual([
      400,
      expect.stringContaining(reason),
    ]);
  });
});

describe('a failing database (decisions C6): no SQL, host or stack trace leaves', () => {
  const failing = (kind: TelemetryErrorKind, code?: number) => {
    runner.answer = () => {
      throw new TelemetryError(kind, 'Code: 999. SELECT secret FROM otel.otel_logs at db-17.internal', code);
    };
  };

  it.each([
    ['failed', undefined, 500, 'The query could not be run by the database.'],
    ['timeout', 159, 504, 'The query took too long and was stopped.'],
    ['unavailable', undefined, 503, 'The telemetry store is restarting; try again in a moment.'],
    ['limit', 241, 400, 'The query needs more memory than allowed'],
    ['limit', 158, 400, 'The query would read more rows than allowed'],
    ['limit', 396, 400, 'The result has more rows or bytes than allowed'],
  ] as const)('%s (%s) → %d', async (kind, code, status, text) => {
    failing(kind, code);
    const [answered, message] = await api.rejection(body());
    expect([answered, message]).toEqual([status, expect.stringContaining(text)]);
    expect(message).not.toMatch(/SELECT|otel|internal|999/);
  });

  it('503 says when to try again', async () => {
    failing('unavailable');
    expect((await api.post(body())).headers['retry-after']).toMatch(/^\d+$/);
  });
});

describe('one scan (decisions C4)', () => {
  it('several series over one source are one statement; other metrics are others', async () => {
    runner.answer = () => ({ names: [], types: [], columns: [], rows: 0, rowsRead: 0, bytesRead: 0, elapsedMs: 0 });
    runner.runs.length = 0;
    await api.chart(body({ series: [one(), one({ where: 'a' }), one({ aggFn: 'max', field: 'Body' })] }));
    expect(runner.runs).toHaveLength(1);
    expect(runner.runs[0]?.options).toMatchObject({ queryClass: 'interactive', timeoutMs: limits.timeoutMs });
  });

  it('user text never becomes part of the statement (decisions C10)', async () => {
    runner.runs.length = 0;
    const where = "Body = 'x'') OR 1=1 --'";
    await api.chart(body({ series: [one({ where, whereLanguage: 'sql' })] }));
    expect(runner.runs[0]?.query.sql).not.toContain('OR 1=1');
  });
});
