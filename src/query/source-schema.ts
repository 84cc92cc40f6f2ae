/** A table as the database describes it right now. */
export interface TableSchema {
  database: string;
  table: string;
  /** Column name → ClickHouse type text, ALIAS and MATERIALIZED columns included. */
  columns: ReadonlyMap<string, string>;
  /** Column name → the expression that fills it (DEFAULT, MATERIALIZED, ALIAS), as the engine writes it; '' or absent = none. */
  defaults?: ReadonlyMap<string, string>;
  /** Expression of a MATERIALIZED column, as the engine writes it → the column, which holds exactly that; none when absent. */
  materialized?: ReadonlyMap<string, string>;
  /** The columns that its rows are sorted by, up to the first key that is not a column as it is; none when absent. */
  sortColumns?: readonly string[];
  /** How many rows it has, more or less; absent if unknown. */
  rows?: number;
  /** Names of the projections that its rows are kept in as well; none when absent. */
  projections?: ReadonlySet<string>;
  /** A table of logs or spans that this program made, and whose every row its collector filled. */
  isOurs?: true;
}

export type MetricKind = 'gauge' | 'sum' | 'histogram' | 'exponentialHistogram' | 'summary';

/** Where a series is read: what the compiler needs of a source, and nothing of how it is stored. */
export type SourceSchema = EventSourceSchema | MetricSourceSchema;

interface AttributeMaps {
  /** Map columns in the order in which an attribute key is looked up: record's own, resource, scope (decisions C6). */
  attributeColumns: readonly string[];
  serviceNameColumn?: string;
}

/** What the parts of a span are in its table: SQL values, as the source names them. */
export interface SpanFields {
  service?: string;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  kind: string;
  duration: string;
  /** Decimals of a second in which the duration is counted. */
  durationPrecision: number;
  statusCode?: string;
  statusMessage?: string;
}

export interface EventSourceSchema extends AttributeMaps {
  kind: 'log' | 'trace';
  table: TableSchema;
  /** Exact event time (DateTime64). */
  timestampColumn: string;
  /** Coarse time in the sort key (`TimestampTime` of logs): bound as well, so that the key prunes. */
  sortTimeColumn?: string;
  /** Searched by bare words: the body of logs, the span name of traces. */
  implicitColumn?: string;
  /** SQL value: each row weighs max(1, this) (traces with sampling). */
  sampleRate?: string;
  /** Of trace sources. */
  spans?: SpanFields;
  /** Rows may have a severity as a number without its text, or the other way round: each follows from the other. */
  derivesSeverity?: true;
  /** SQL condition of the source's owner; rows that do not meet it do not exist for any reader. */
  filter?: string;
}

export interface MetricSourceSchema extends AttributeMaps {
  kind: 'metric';
  tables: Partial<Record<MetricKind, TableSchema>>;
  timestampColumn: string;
}

/** The table that a query of this source reads; of a metric source the only one that its schema holds. */
export function tableOfSchema(source: SourceSchema): TableSchema | undefined {
  return source.kind === 'metric' ? Object.values(source.tables)[0] : source.table;
}
