import { quoteText } from '../../src/kernel/sql-quoting.ts';
import type { AggregateName, ChartQuery, Guards, SeriesQuery } from '../../src/query/chart-query.ts';
import { compileChart } from '../../src/query/compile-chart.ts';
import type {
  EventSourceSchema,
  MetricSourceSchema,
  SourceSchema,
  TableSchema,
} from '../../src/query/source-schema.ts';
import { CarefulRuns } from '../../src/resources/charts/reading/careful-runs.ts';
import type { QueryResult } from '../../src/telemetry/ports.ts';
import type { TestEngine } from '../support/start-engine.ts';

/** 2025-01-15T10:00:00Z, a whole hour. */
export const T0 = 1_736_935_200_000;
export const minute = 60_000;

/** A tenant's database whose rows of 2025 do not expire. */
export async function makeDatabase(engine: TestEngine, database: string): Promise<void> {
  await engine.databases.ensure(database);
}

/** A further table with the columns of one of ours; on a cluster, on the node that is asked. */
export async function makeTableLike(engine: TestEngine, database: string, model: string, name: string): Promise<void> {
  const stored = engine.topology.kind === 'cluster' ? `${model}_local` : model;
  const [sorting, partition] = (
    await engine.client.query(
      'SELECT sorting_key, partition_key FROM system.tables WHERE database = {db:String} AND name = {table:String}',
      { params: { db: database, table: stored }, timeoutMs: 10_000 },
    )
  ).columns.map((column) => column[0]);
  const sql = `CREATE TABLE ${database}.${name} AS ${database}.${stored}
    ENGINE = MergeTree PARTITION BY ${partition} ORDER BY (${sorting})`;
  await engine.client.command(sql, { timeoutMs: 10_000 });
}

export function guardsFor(database: string): Guards {
  return { database, resultRowsMax: 100_000, memoryBytesMax: 1e9, timeoutMs: 120_000 };
}

type SeriesText = Partial<SeriesQuery> & { aggregate?: AggregateName };

/** A chart query over `[T0, T0 + 1 h)` in one bucket, unless specified otherwise. */
export function chart(series: SeriesText | readonly SeriesText[], rest: Partial<ChartQuery> = {}): ChartQuery {
  const list = 'length' in series ? series : [series];
  return {
    range: { startMs: T0, endMs: T0 + 60 * minute },
    bucketOriginMs: 0,
    series: list.map((each) => ({ aggregate: 'count', where: '', whereLanguage: 'lucene', ...each })),
    groupBy: [],
    groupsMax: 1_000,
    ...rest,
  };
}

export async function logSource(engine: TestEngine, database: string): Promise<EventSourceSchema> {
  return {
    kind: 'log',
    table: await describe(engine, database, 'otel_logs'),
    timestampColumn: 'Timestamp',
    sortTimeColumn: 'TimestampTime',
    implicitColumn: 'Body',
    attributeColumns: ['LogAttributes', 'ResourceAttributes', 'ScopeAttributes'],
    serviceNameColumn: 'ServiceName',
  };
}

export async function traceSource(engine: TestEngine, database: string): Promise<EventSourceSchema> {
  return {
    kind: 'trace',
    table: await describe(engine, database, 'otel_traces'),
    timestampColumn: 'Timestamp',
    implicitColumn: 'SpanName',
    attributeColumns: ['SpanAttributes', 'ResourceAttributes'],
    serviceNameColumn: 'ServiceName',
  };
}

export async function metricSource(engine: TestEngine, database: string): Promise<MetricSourceSchema> {
  return {
    kind: 'metric',
    tables: {
      gauge: await describe(engine, database, 'otel_metrics_gauge'),
      sum: await describe(engine, database, 'otel_metrics_sum'),
      histogram: await describe(engine, database, 'otel_metrics_histogram'),
      summary: await describe(engine, database, 'otel_metrics_summary'),
      exponentialHistogram: await describe(engine, database, 'otel_metrics_exponential_histogram'),
    },
    timestampColumn: 'TimeUnix',
    attributeColumns: ['Attributes', 'ResourceAttributes', 'ScopeAttributes'],
    serviceNameColumn: 'ServiceName',
  };
}

async function describe(engine: TestEngine, database: string, table: string): Promise<TableSchema> {
  const schema = await engine.tableSchemas.describe(database, table);
  if (!schema) throw new Error(`there is no table ${database}.${table}`);
  return schema;
}

export type Row = Record<string, unknown>;

/** Inserts rows of plain values; times as numbers are Unix milliseconds. */
export async function insertRows(
  engine: Pick<TestEngine, 'client'>,
  database: string,
  table: string,
  rows: readonly Row[],
): Promise<void> {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const values = rows.map((row) => `(${columns.map((name) => literal(name, row[name])).join(', ')})`);
  const sql = `INSERT INTO ${database}.${table} (${columns.join(', ')}) VALUES ${values.join(', ')}`;
  await engine.client.command(sql, { timeoutMs: 120_000 });
}

function literal(column: string, value: unknown): string {
  if (value === undefined) return 'DEFAULT';
  if (typeof value === 'number' && /^(Timestamp|TimeUnix|StartTimeUnix)$/.test(column)) {
    return `fromUnixTimestamp64Milli(toInt64(${value}), 'UTC')`;
  }
  if (typeof value === 'number')
    return Number.isFinite(value) ? String(value) : String(value).replace('Infinity', 'inf').toLowerCase();
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => literal('', item)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `map(${Object.entries(value)
      .flatMap(([key, item]) => [literal('', key), literal('', item)])
      .join(', ')})`;
  }
  return `${quoteText(String(value))}`;
}

/** Compiles and runs; rows as objects by column name. */
export async function run(engine: TestEngine, query: ChartQuery, source: SourceSchema): Promise<Row[]> {
  const table = source.kind === 'metric' ? Object.values(source.tables)[0] : source.table;
  const compiled = compileChart(query, source, guardsFor(table?.database ?? ''));
  const { result } = await new CarefulRuns().run('', compiled, (each) =>
    engine.queryRunner.run(each, { queryClass: 'interactive', timeoutMs: 120_000 }),
  );
  return rowsOf(result);
}

export function rowsOf(result: QueryResult): Row[] {
  return Array.from({ length: result.rows }, (_, row) =>
    Object.fromEntries(result.names.map((name, column) => [name, result.columns[column]?.[row]])),
  );
}
