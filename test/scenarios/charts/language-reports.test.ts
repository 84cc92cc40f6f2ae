import { beforeAll, describe, expect, it } from 'vitest';
import type { LogSource } from '../../../src/contract/source.ts';
import { insertRows, type Row } from '../../query/telemetry-fixture.ts';
import { ChartApi, hourMs, t0, tenant } from './chart-api.ts';
import { startStore } from './telemetry-rows.ts';

/** What users report of the languages of conditions, each by its number. */
let api: ChartApi;
let logs: string;
let traces: string;

/** A separate hour for each report, so that none sees another's rows. */
const hourOf = (report: number): number => t0 - report * hourMs;
const log = (report: number, row: Row): Row => ({
  Timestamp: hourOf(report),
  ServiceName: 'api',
  Body: '',
  TraceId: '',
  LogAttributes: {},
  ...row,
});
const bodies = (report: number, ...texts: string[]): Row[] => texts.map((Body) => log(report, { Body }));
const named = (report: number, ...names: string[]): Row[] => names.map((ServiceName) => log(report, { ServiceName }));
const attributes = (report: number, key: string, ...values: string[]): Row[] =>
  values.map((value) => log(report, { LogAttributes: { [key]: value } }));
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

beforeAll(async () => {
  const engine = await startStore();
  await insertRows(engine, 'otel', 'otel_logs', [
    ...attributes(66, 'url', 'https://a.example/x?y=1', 'https://a.example/z'),
    ...named(67, 'user_service', 'user-service', 'user.service', 'billing'),
    ...bodies(67.25, '100% done', '1000 done'),
    ...attributes(69, 'n', '10', '9', '100', 'abc', ''),
    ...bodies(70, 'req user-id ok', 'user ok', 'from 10.0.0.1 now', 'from 10a0b0c1', 'v 1.2.3-rc1', 'v 1.2.3'),
    log(70, { TraceId: traceId }),
    ...named(71, 'api', 'api-gw', 'my-api'),
    ...bodies(72, 'error timeout', 'error and timeout'),
    ...bodies(74, 'plain', 'other'),
    ...named(76, 'a;b', 'a'),
    ...named(78, 'a', 'a', "ServiceName = 'a'", 'b'),
    ...bodies(113, 'x'),
    log(113, { Timestamp: hourOf(113) + 20 * 60_000 }),
    ...attributes(118, 'f', 'a b', 'a x b', 'b'),
  ]);
  const span = (report: number, row: Row): Row => ({
    Timestamp: hourOf(report),
    SpanName: 's',
    Duration: 0,
    SpanAttributes: {},
    ...row,
  });
  await insertRows(engine, 'otel', 'otel_traces', [
    ...[90, 100, 250, 500, 1000].map((Duration) => span(68, { Duration })),
    span(75, { SpanAttributes: { 'http.status_code': '500' } }),
    span(75, { SpanAttributes: { http: 'x' } }),
    ...[20, 40].map((minute) => span(113, { Timestamp: hourOf(113) + minute * 60_000 })),
  ]);
  api = await ChartApi.over({ runner: engine.queryRunner, schemas: engine.tableSchemas });
  logs = await api.sourceId('log');
  traces = await api.sourceId('trace');
});

const series = (change: object) => ({ sourceId: logs, aggFn: 'count', where: '', groupBy: [], ...change });
const request = (report: number, ...all: object[]) => ({
  startTime: hourOf(report),
  endTime: hourOf(report) + hourMs / 4,
  granularity: '1h',
  series: all.map(series),
});

async function count(report: number, where: string, change: object = {}): Promise<number> {
  const { data } = await api.chart(request(report, { where, ...change }));
  return Number(data[0]?.['series_0.data'] ?? 0);
}

describe('Lucene, as users report it', () => {
  it.each<[report: string, hour: number, where: string, rows: number]>([
    ['U-66: a quoted URL is literal', 66, 'url:"https://a.example/x?y=1"', 1],
    ['U-66: several URLs', 66, 'url:"https://a.example/x?y=1" OR url:"https://a.example/z"', 2],
    ['U-66: a URL without quotes is not split at its colon', 66, 'url:https://a.example/x?y=1', 1],
    ['U-67: _ is no wildcard', 67, 'ServiceName:user_service', 1],
    ['U-67: … nor where it is negated', 67, '-ServiceName:user_service', 3],
    ['U-67: % is no wildcard', 67.25, 'Body:"100% done"', 1],
    ['U-67: … nor without quotes', 67.25, 'Body:100%', 1],
    ['U-69: text is compared as a number', 69, 'LogAttributes.n:>9', 2],
    ['U-69: text that is none does not match', 69, 'LogAttributes.n:<=9', 1],
    ['U-70: a hyphen inside a word belongs to it', 70, 'user-id', 1],
    ['U-70: addresses are literal', 70, 'Body:10.0.0.1', 1],
    ['U-70: versions are literal', 70, 'Body:1.2.3-rc1', 1],
    ['U-70: ids are equal or not', 70, `TraceId:"${traceId}"`, 1],
    ['U-70: half an id is none', 70, `TraceId:"${traceId.slice(0, 16)}"`, 0],
    ['U-71: plain text is contained', 71, 'ServiceName:api', 3],
    ['U-71: in quotes it is equal', 71, 'ServiceName:"api"', 1],
    ['U-71: x* outside of parentheses is contained, as in docs/lucene.md', 71, 'ServiceName:api*', 3],
    ['U-71: (x*) begins', 71, 'ServiceName:(api*)', 2],
    ['U-71: (*x) ends', 71, 'ServiceName:(*api)', 2],
    ['U-71: * exists', 71, 'ServiceName:*', 3],
    ['U-72: AND is an operator', 72, 'error AND timeout', 2],
    ['U-72: and is a word', 72, 'error and timeout', 1],
    ['U-73: a name that is no column is an attribute, which no row has (decisions C6)', 72, 'nosuchfield:1', 0],
    ['U-74: quotes do not leave a value', 74, 'Body:"\' OR 1=1 --"', 0],
    ['U-74: nor do escaped ones', 74, 'Body:"\\\\\' OR 1=1"', 0],
    ['U-118: in quotes the whole value', 118, 'f:"a b"', 1],
    ['U-118: an escaped blank is a blank of the value', 118, 'f:a\\ b', 1],
    ['U-118: parentheses hand the field on', 118, 'f:(a AND b)', 2],
  ])('%s', async (_, hour, where, rows) => expect(await count(hour, where)).toBe(rows));

  it.each([
    ['[100 TO 500]', 3],
    ['[* TO 500]', 4],
    ['[500 TO *]', 2],
  ])('U-68: Duration:%s is a range of numbers, both ends included', async (range, rows) => {
    expect(await count(68, `Duration:${range}`, { sourceId: traces })).toBe(rows);
  });

  it('U-73: a misspelt column is named, and a word on a source without text is reported as such', async () => {
    const { meta } = await api.chart(request(72, { where: 'ServiceNam:1' }));
    expect(meta.warnings).toEqual([
      {
        path: 'series.0.where',
        message: expect.stringMatching(/"ServiceNam" is no column.*"ServiceName".*\(at position 0\)/),
      },
    ]);
    const own = await api.parts.sources.find(tenant.id, logs);
    if (own?.kind !== 'log') throw new Error('no log source');
    const { implicitColumnExpression: _, bodyExpression: __, ...rest } = own;
    const mute: LogSource = { ...rest, id: 'e00000000000000000000073' };
    await api.parts.sources.insert(tenant.id, mute);
    const refused = await api.rejection(request(72, { sourceId: mute.id, where: 'timeout' }));
    expect(refused).toEqual([
      400,
      expect.stringMatching(/series\.0\.where: .*no default text column.*\(at position 0\)/),
    ]);
  });

  it('U-74: a group that is no field is rejected with its position', async () => {
    const [status, text] = await api.rejection(request(74, { groupBy: ['ServiceName) --'] }));
    expect([status, text]).toEqual([400, expect.stringMatching(/^series\.0\.groupBy\.0: .*\(at position \d+\)$/)]);
  });

  it('U-75: the longest key wins, in conditions and in groups', async () => {
    expect(await count(75, 'SpanAttributes.http.status_code:500', { sourceId: traces })).toBe(1);
    const groupBy = ["SpanAttributes['http.status_code']"];
    const { data } = await api.chart(request(75, { sourceId: traces, groupBy, where: 'http.status_code:*' }));
    expect(data).toEqual([expect.objectContaining({ group: ['500'], 'series_0.data': 1 })]);
  });
});

describe('SQL, as users report it', () => {
  it.each(['1=1; DROP TABLE otel_logs', '1=1 SETTINGS max_execution_time=0'])(
    'U-76: %s is refused with its position',
    async (where) => {
      const [status, text] = await api.rejection(request(76, { where, whereLanguage: 'sql' }));
      expect([status, text]).toEqual([400, expect.stringMatching(/^series\.0\.where: .*\(at position \d+\)$/)]);
    },
  );

  it('U-76: a semicolon in a value is a character', async () => {
    expect(await count(76, "ServiceName = 'a;b'", { whereLanguage: 'sql' })).toBe(1);
    expect(await count(76, '')).toBe(2);
  });

  it('U-78: without a language a condition is Lucene; blanks are no condition', async () => {
    const where = "ServiceName = 'a'";
    expect(await count(78, where, { whereLanguage: 'sql' })).toBe(2);
    // Three words of the body, which is empty.
    expect(await count(78, where)).toBe(0);
    for (const language of [{}, { whereLanguage: 'lucene' }, { whereLanguage: 'sql' }]) {
      expect(await count(78, '   ', language)).toBe(4);
    }
  });
});

describe('several sources, as users report them', () => {
  const sideBySide = () => {
    const body = request(113, {}, { sourceId: traces });
    return { ...body, endTime: body.startTime + hourMs, granularity: '20m' };
  };

  it('U-113: rows are keyed by bucket and group; a missing side has no key', async () => {
    const { data } = await api.chart(sideBySide());
    expect(data).toEqual([
      { ts_bucket: hourOf(113), group: [], 'series_0.data': 1 },
      { ts_bucket: hourOf(113) + 20 * 60_000, group: [], 'series_0.data': 1, 'series_1.data': 1 },
      { ts_bucket: hourOf(113) + 40 * 60_000, group: [], 'series_1.data': 1 },
    ]);
  });

  it('U-113: other groups in the second series are rejected', async () => {
    const body = request(113, {}, { sourceId: traces, groupBy: ['ServiceName'] });
    expect(await api.rejection(body)).toEqual([400, 'series.1.groupBy: must be the same as that of series 0.']);
  });
});
