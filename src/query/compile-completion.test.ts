import { describe, expect, it } from 'vitest';
import {
  compileAttributeKeys,
  compileEventCount,
  compileFacets,
  compileFieldValues,
  compileMetricNames,
} from './compile-completion.ts';
import type { CompiledQuery } from './compiled-query.ts';
import type { EventSourceSchema, MetricSourceSchema } from './source-schema.ts';

const columns = new Map([
  ['Timestamp', 'DateTime64(9)'],
  ['ServiceName', 'LowCardinality(String)'],
  ['LogAttributes', 'Map(LowCardinality(String), String)'],
]);
const events: EventSourceSchema = {
  kind: 'log',
  table: { database: 'otel', table: 'otel_logs', columns },
  timestampColumn: 'Timestamp',
  attributeColumns: ['LogAttributes'],
  filter: "ServiceName != 'hidden'",
};
const metrics: MetricSourceSchema = {
  kind: 'metric',
  tables: { gauge: { database: 'otel', table: 'g', columns: new Map([...columns, ['MetricName', 'String']]) } },
  timestampColumn: 'Timestamp',
  attributeColumns: [],
};
const range = { startMs: 0, endMs: 60_000 };
const budget = { rowsToRead: 1_000, distinct: 100 };
const evil = "x') OR 1=1 --";
const values = { range, field: 'ServiceName', prefix: '', where: '', whereLanguage: 'lucene', limit: 10 } as const;
const facets = { range, where: '', whereLanguage: 'lucene', fields: ['ServiceName'], limit: 10, slices: [] } as const;

const guardsFor = (database: string) => ({ database, resultRowsMax: 1_000, memoryBytesMax: 1e9, timeoutMs: 3_000 });
const questions: Record<string, (database: string) => CompiledQuery> = {
  keys: (db) => compileAttributeKeys({ range, maps: ['LogAttributes'] }, events, guardsFor(db), budget),
  values: (db) => compileFieldValues({ ...values, prefix: evil }, events, guardsFor(db), budget),
  'values in some rows': (db) =>
    compileFieldValues({ ...values, where: `ServiceName:"${evil}"` }, events, guardsFor(db), budget),
  facets: (db) => compileFacets({ ...facets, where: `ServiceName:"${evil}"` }, events, guardsFor(db), budget),
  'facets in slices': (db) => compileFacets({ ...facets, slices: [range] }, events, guardsFor(db), budget),
  count: (db) => compileEventCount(range, events, guardsFor(db)),
  metrics: (db) => compileMetricNames({ range, limit: 10 }, metrics, guardsFor(db), budget),
};

describe.each(Object.entries(questions))('%s', (name, compile) => {
  it('decisions F2: reads no database but the tenant’s', () => {
    expect(() => compile('otel_other')).toThrow('a table of another database');
  });

  it('is bounded in time and limited, and never holds the user’s text', () => {
    const { sql, settings } = compile('otel');
    expect(sql).toMatch(/WHERE \(\(src\.`Timestamp` >= /);
    expect(sql).toMatch(/LIMIT \d+$/);
    expect(sql).not.toContain('OR 1=1');
    expect(settings).toMatchObject({ readonly: 1, max_execution_time: 3, timeout_overflow_mode: 'break' });
  });

  it('decisions C10: never passes the source’s own filter', () => {
    const { sql, params } = compile('otel');
    if (name === 'metrics') expect(sql).not.toContain('ServiceName');
    else expect(Object.values(params)).toContain('hidden');
  });
});

it('stops reading at the budget and answers what it has', () => {
  expect(questions.values?.('otel').settings).toMatchObject({
    max_rows_to_read: 1_000,
    read_overflow_mode: 'break',
    max_rows_to_group_by: 100,
    group_by_overflow_mode: 'any',
  });
});
