import type { CompiledQuery } from '../query/compiled-query.ts';
import type { TableSchema } from '../query/source-schema.ts';

/** A heavy query of one class does not delay a small one of another. */
export type QueryClass = 'interactive' | 'alerts' | 'background';

export interface RunOptions {
  queryClass: QueryClass;
  timeoutMs: number;
  /** What it is for, as its span is named; `query` when absent. */
  name?: string;
  /** Aborting kills the query inside the engine. */
  signal?: AbortSignal;
}

/** An answer by columns, as the engine sends it. 64-bit integers arrive as JSON numbers. */
export interface QueryResult {
  names: readonly string[];
  types: readonly string[];
  /** `columns[i][row]`. NaN and infinities are null. */
  columns: readonly (readonly unknown[])[];
  rows: number;
  rowsRead: number;
  bytesRead: number;
  elapsedMs: number;
}

export interface QueryRunner {
  /** The answer with its values decoded. Throws `TelemetryError`. Reads are retried once over an engine restart. */
  run(query: CompiledQuery, options: RunOptions): Promise<QueryResult>;
}

export interface TableSchemas {
  /** The live columns of a table, cached for a short time; `undefined` when there is no such table. */
  describe(database: string, table: string): Promise<TableSchema | undefined>;
}

/** Records of one tenant that the collector rejected lately for their times. */
export interface MistimedCount {
  signal: 'logs' | 'traces' | 'metrics';
  /** `behind`: older than the retention; `ahead`: more than a day ahead. */
  clock: 'behind' | 'ahead';
  /** Since the first of them, with never an hour without one in between. */
  records: number;
  /** Unix ms. */
  lastAtMs: number;
}

/** What this process rejected within the last hour because the clocks of senders are wrong. */
export interface MistimedRecords {
  recent(tenantId: string): readonly MistimedCount[];
}

/** The telemetry tables by signal; metric kinds have a table each. */
export type TelemetryTable =
  | 'otel_logs'
  | 'otel_traces'
  | 'otel_metrics_gauge'
  | 'otel_metrics_sum'
  | 'otel_metrics_histogram'
  | 'otel_metrics_exponential_histogram'
  | 'otel_metrics_summary';

/** Rows of one table, already in ClickHouse's Native format (one whole block). */
export interface EncodedBlock {
  table: TelemetryTable;
  rows: number;
  bytes: Uint8Array;
  /**
   * `digestOf(bytes)`, taken where the block was made, which may be another thread. Absent when a row got the time of its
   * arrival: the same record, sent once more on purpose, is another event.
   */
  digest?: string;
}

/**
 * Where accepted telemetry goes. `add` resolves when the rows survive `kill -9` (decisions E3). The same blocks again, as
 * when a sender did not get its answer, are stored once.
 */
export interface BlockSink {
  /** Throws `SinkFullError` immediately if the buffers are full, `TelemetryError` if the store fails. */
  add(database: string, blocks: readonly EncodedBlock[]): Promise<void>;
}

/** Writes one batch: blocks of one table, exactly once per token. Columns go by the names in the blocks' headers. */
export interface BlockInserter {
  insert(batch: {
    database: string;
    table: TelemetryTable;
    blocks: readonly Uint8Array[];
    token: string;
  }): Promise<void>;
}

/** Insert data as another system wrote them, in a format of the engine. */
export interface RawInsert {
  /** `INSERT INTO … FORMAT …`; its data are the body. */
  statement: string;
  body: readonly Uint8Array[];
  /** The same token twice adds the rows once; they become one block. */
  token?: string;
  settings?: Readonly<Record<string, string | number>>;
  timeoutMs: number;
  signal?: AbortSignal;
}

/** Statements over tables that are not the program's own. Every method throws `TelemetryError`. */
export interface TableStatements {
  query(
    sql: string,
    options: { params?: Readonly<Record<string, string>>; timeoutMs: number; signal?: AbortSignal },
  ): Promise<QueryResult>;
  command(
    sql: string,
    options: { settings?: Readonly<Record<string, string | number>>; timeoutMs: number },
  ): Promise<void>;
  /** Resolves with the rows that were written, as far as the engine counts them. */
  insertRaw(insert: RawInsert): Promise<number>;
}

/** A stretch of event time, `[startMs, endMs)`. */
export interface Stretch {
  startMs: number;
  endMs: number;
}

/**
 * Tracks which event times were written to, so that cached results need not be read again. Only the process that does
 * all the writing can do so; where others write too, there is no tracker.
 */
export interface WriteTracker {
  /** Rows older than this may expire. */
  oldestKeptMs(table: string): number;
  /** A point in the order of writes: take it before reading. */
  mark(): number;
  /**
   * What may have been written to this table since that point, writes still under way included; `everything` when that
   * is no longer known.
   */
  writtenSince(database: string, table: string, mark: number): readonly Stretch[] | 'everything';
}

/** Makes a tenant's database with all its tables; cheap when they exist already. */
export interface TelemetryDatabases {
  ensure(database: string): Promise<void>;
}

export class SinkFullError extends Error {
  constructor() {
    super('the ingest buffers are full');
    this.name = 'SinkFullError';
  }
}

export type TelemetryErrorKind =
  | 'timeout'
  | 'cancelled'
  /** The engine restarts or can't be reached. */
  | 'unavailable'
  /** Rows, groups, memory or the answer passed a limit. */
  | 'limit'
  /** Something answers, but not as ClickHouse does. */
  | 'unreadable'
  /** Any other failure of the engine; details are for the log only. */
  | 'failed';

/** READONLY and SETTING_CONSTRAINT_VIOLATION: the user may not change what a statement comes with. */
export const settingRejections: ReadonlySet<number | undefined> = new Set([164, 452]);

export class TelemetryError extends Error {
  readonly kind: TelemetryErrorKind;
  /** ClickHouse error code, where there is one. */
  readonly engineCode: number | undefined;
  /** Name of the connection whose database it was; the program's own store when absent. */
  readonly connection: string | undefined;

  constructor(kind: TelemetryErrorKind, message: string, engineCode?: number, connection?: string) {
    super(message);
    this.name = 'TelemetryError';
    this.kind = kind;
    this.engineCode = engineCode;
    this.connection = connection;
  }
}
