import { describe, expect, it } from 'vitest';
import type { ChartQuery, TimeRange } from './chart-query.ts';
import { compileChart } from './compile-chart.ts';
import { QueryTextError, sourceFilterPath } from './compiled-query.ts';
import { GuardError } from './passes/verify-guards.ts';
import type { SourceSchema, TableSchema } from './source-schema.ts';
import { testChart, testGuards, testLogs, testMetrics } from './testing.ts';

const sqlOf = (query: ChartQuery, source: SourceSchema = testLogs): string =>
  compileChart(query, source, testGuards).sql;

function errorOf(query: ChartQuery, source: SourceSchema = testLogs): QueryTextError {
  try {
    sqlOf(query, source);
  } catch (error) {
    if (error instanceof QueryTextError) return error;
    throw error;
  }
  throw new Error('the query was accepted');
}

it('U-20: there are no variables: $svc is literal text, a value like any other', () => {
  const { sql, params } = compileChart(testChart([{ where: 'ServiceName:"$svc"' }]), testLogs, testGuards);
  expect(Object.values(params)).toContain('$svc');
  expect(sql).not.toContain('svc');
});

describe('the filter of a source (contract §5.4)', () => {
  const filtered = { ...testLogs, filter: "ServiceName = 'a' OR 1 = 1" };

  it('is parenthesised beside every filter of the request', () => {
    const requests = [testChart([{}]), testChart([{ where: 'x' }]), testChart([{ where: 'x' }, { where: 'y OR z' }])];
    for (const request of requests) {
      expect(sqlOf(request, filtered)).toMatch(/AND \(\(\(src\.`ServiceName` = \{p\d+:String\}\) OR [^\n]*\)\)(\n|$)/);
    }
  });

  it.each(["ServiceName = 'a", "Gone['x'] = 1", 'sleep(1)', '1; DROP TABLE x', 'Body'])(
    '%s: nothing is read, and the error says that the source is to blame',
    (filter) => {
      const error = errorOf(testChart([{}]), { ...testLogs, filter });
      expect([error.where, typeof error.position]).toEqual([sourceFilterPath, 'number']);
    },
  );
});

describe('errors name the text and the place in it (decisions C6)', () => {
  const count = { aggregate: 'count' as const };
  it.each<[string, ChartQuery, string, number | undefined]>([
    ['a where that does not parse', testChart([count, { where: 'a AND (b' }]), 'series.1.where', 6],
    ['an unknown column', testChart([{ where: "x Foo['x']:1" }]), 'series.0.where', 2],
    ['a function that is not allowed', testChart([{ where: 'sleep(1)', whereLanguage: 'sql' }]), 'series.0.where', 0],
    [
      'the wrong number of arguments',
      testChart([{ where: "lower() = 'a'", whereLanguage: 'sql' }]),
      'series.0.where',
      0,
    ],
    ['types that do not fit', testChart([{ where: 'LogAttributes = 1', whereLanguage: 'sql' }]), 'series.0.where', 0],
    ['a number column against a word', testChart([{ where: 'SeverityNumber:high' }]), 'series.0.where', 0],
    ['a missing field', testChart([count, { aggregate: 'avg' }]), 'series.1.field', undefined],
    ['a map as a group', testChart([count], { groupBy: ['ServiceName', 'LogAttributes'] }), 'groupBy.1', 0],
    ['a group that is no expression', testChart([count], { groupBy: ['ServiceName) --'] }), 'groupBy.0', 13],
    ['a level beyond 1', testChart([{ aggregate: 'quantile', field: 'n', level: 95 }]), 'series.0.level', undefined],
    [
      'a metric on an event source',
      testChart([{ metric: { name: 'm', kind: 'sum' } }]),
      'series.0.metricName',
      undefined,
    ],
  ])('%s', (_, query, where, position) => {
    const error = errorOf(query);
    expect([error.where, error.position]).toEqual([where, position]);
  });

  it('conditions that would be too long for the engine are rejected', () => {
    expect(errorOf(testChart([{ where: `${'a.b:x OR '.repeat(1_500)}y` }])).message).toContain('too long');
  });

  it('a metric source needs a metric (U-64)', () => {
    expect(errorOf(testChart([{ aggregate: 'sum' }]), testMetrics)).toMatchObject({ where: 'series.0.metricName' });
  });

  it('an unknown column comes with a hint at the one that was meant', () => {
    expect(errorOf(testChart([{ where: "ResourceAttribute['a']:x" }])).message).toContain(
      'did you mean "ResourceAttributes"',
    );
  });
});

describe('an attribute that equals a value', () => {
  const where = (text: string): string => /WHERE ([\s\S]+)GROUP/.exec(sqlOf(testChart([{ where: text }])))?.[1] ?? '';

  it('is answered by the indexed items alone where one of them can mean nothing else', () => {
    expect(where('LogAttributes.a:"x"')).toMatch(/has\(src.`LogAttributeItems`, {p\d:String}\)/);
    expect(where('LogAttributes.a:"x"')).not.toContain('arrayElement');
  });

  it.each([
    ['a value or key with "=": `a=b` + `c` reads as `a` + `b=c`', 'LogAttributes.a:"x=y"'],
    ['several maps, of which the first that has the key counts', 'a.b:"x"'],
    ['a hot attribute, whose own column is cheap', 'ResourceAttributes.k8s.pod.name:"x"'],
  ])('is compared as well: %s', (_, text) => expect(where(text)).toMatch(/has\(.+ = {p\d:String}/s));
});

describe('one scan (decisions C4)', () => {
  it('equal filters are in WHERE once', () => {
    const sql = sqlOf(testChart([{ where: 'a' }, { aggregate: 'max', field: 'SeverityNumber', where: ' a ' }]));
    expect(sql).not.toContain('If(');
    expect(sql.match(/hasToken/g)).toHaveLength(1);
  });

  it('different filters are conditions of their aggregates, and WHERE holds their OR', () => {
    const sql = sqlOf(testChart([{ where: 'a' }, { where: 'b' }]));
    expect(sql.match(/FROM `otel`/g)).toHaveLength(1);
    expect(sql).toMatch(/AND \(\(hasToken\(.+\) OR hasToken\(.+\)\)\)/);
    expect(sql).toContain('countIf(hasToken');
  });

  it('a series without a filter keeps all rows in', () => {
    expect(sqlOf(testChart([{ where: 'a' }, {}]))).not.toContain(' OR ');
  });

  it('metrics with the same name and filter share a scan', () => {
    const quantile = (level: number) => ({
      aggregate: 'quantile' as const,
      level,
      metric: { name: 'm', kind: 'histogram' as const },
    });
    expect(sqlOf(testChart([quantile(0.5), quantile(0.95)]), testMetrics).match(/FROM `otel`/g)).toHaveLength(1);
  });
});

describe('the guards fail closed', () => {
  it('rejects a table of another database, and an unnamed one', () => {
    for (const database of ['otel_other', '']) {
      expect(() => compileChart(testChart([{}]), testLogs, { ...testGuards, database })).toThrow(GuardError);
    }
  });

  it('every query is read-only and limited', () => {
    const { settings } = compileChart(testChart([{}]), testLogs, { ...testGuards, rowsToReadMax: 5 });
    expect(settings).toMatchObject({
      readonly: 1,
      max_execution_time: 30,
      max_memory_usage: 1e9,
      max_result_rows: 100_000,
      max_rows_to_read: 5,
      session_timezone: 'UTC',
    });
  });
});

describe('the engine looks for projections only where one may hold the answer', () => {
  const known = new Set(['minute_counts', 'hour_counts']);
  const logs = (table: Partial<TableSchema>) => ({ ...testLogs, table: { ...testLogs.table, ...table } });
  const ours = logs({ isOurs: true, projections: known });
  const off = { optimize_use_projections: 0 };
  it.each([
    ['counts of whole minutes', ours, {}, {}],
    [
      'counts of whole minutes with edges',
      ours,
      { range: { startMs: 1_736_942_400_001, endMs: 1_736_946_030_000 } },
      {},
    ],
    ['counts of less than a minute', ours, { granularityMs: 30_000, range: lastMinutes(5) }, off],
    ['counts by another column', ours, { groupBy: ['Body'] }, off],
    ['our table on a cluster, whose projections are not seen', logs({ isOurs: true, projections: new Set() }), {}, off],
    [
      'our table with a foreign projection',
      logs({ isOurs: true, projections: new Set([...known, 'by_trace']) }),
      { groupBy: ['Body'] },
      {},
    ],
    ['a foreign table', logs({ projections: new Set() }), { groupBy: ['Body'] }, {}],
  ])('%s', (_, source, change, expected) => {
    const { settings } = compileChart(testChart([{}], change), source, testGuards);
    const { optimize_use_projections: projections } = settings;
    expect(projections === undefined ? {} : { optimize_use_projections: projections }).toEqual(expected);
  });

  function lastMinutes(count: number): TimeRange {
    const endMs = 1_736_946_000_000;
    return { startMs: endMs - count * 60_000, endMs };
  }
});

describe('what the plan knows of its rows is said to the engine', () => {
  const projected = { ...testLogs, table: { ...testLogs.table, projections: new Set(['minute_counts']) } };
  const startMs = 1_736_942_400_000;
  const days = (count: number) => ({
    range: { startMs, endMs: startMs + count * 86_400_000 },
    groupBy: ['SeverityText'],
  });
  it.each([
    ['groups in the order of the table', testLogs, { groupBy: ['ServiceName'] }, { optimize_aggregation_in_order: 1 }],
    ['other groups', testLogs, { groupBy: ['SeverityText'] }, {}],
    ['two days of counts per minute', projected, days(2), { max_threads: 1 }],
    ['more than that', projected, days(3), {}],
  ])('%s', (_, source, change, expected) => {
    const { settings } = compileChart(testChart([{}], change), source, testGuards);
    const { optimize_aggregation_in_order, max_threads } = settings;
    expect(JSON.parse(JSON.stringify({ optimize_aggregation_in_order, max_threads }))).toEqual(expected);
  });
});
