import { AppError } from '../../contract/errors.ts';
import { metricTableKeys } from '../../contract/source.ts';
import type { Guards } from '../../query/chart-query.ts';
import { type CompiledQuery, QueryTextError } from '../../query/compiled-query.ts';
import type { MetricKind, SourceSchema, TableSchema } from '../../query/source-schema.ts';
import type { QueryResult } from '../../telemetry/ports.ts';
import type { ConnectionEngine } from '../charts/reading/connection-engine.ts';
import { toQueryAppError } from '../charts/reading/query-errors.ts';
import type { ReadableSources } from '../charts/reading/readable-sources.ts';
import { type ChartableSource, sourceToSchema, tableOf } from '../charts/reading/source-to-schema.ts';
import { toTextProblem } from '../charts/request/text-problem.ts';
import { settingsOfSource } from '../sources/settings-of-source.ts';
import type { Source } from '../sources/source.ts';

export type MetricTableKey = (typeof metricTableKeys)[number];

const metricKinds = {
  gauge: 'gauge',
  sum: 'sum',
  histogram: 'histogram',
  summary: 'summary',
  'exponential histogram': 'exponentialHistogram',
} as const satisfies Record<MetricTableKey, MetricKind>;

/** One table of a source with its current schema, ready for queries. */
export interface OpenTable {
  schema: SourceSchema;
  table: TableSchema;
  guards: Guards;
  /** Of metric sources. */
  metric?: MetricTableKey;
}

export interface OpenSource {
  source: ChartableSource;
  engine: ConnectionEngine;
  /** Those that exist; a metric source has one per kind. */
  tables: readonly OpenTable[];
}

/** What one question of an editor may cost: it must never be felt by those who look at charts. */
export const completionLimits = { timeoutMs: 3_000, memoryBytesMax: 512 * 1024 ** 2, resultRowsMax: 20_000 };
/** The engine stops at `timeoutMs`; this also covers the queue and the network. */
const patienceMs = 10_000;

/**
 * Opens the tables of a source. Throws `query_invalid` for a disabled source or a kind without tables,
 * `connection_not_found`, `engine_unavailable`.
 */
export async function openSource(sources: ReadableSources, tenantId: string, source: Source): Promise<OpenSource> {
  if (source.disabled) throw rejection(`The source "${source.name}" is disabled.`);
  if (source.kind === 'promql') throw rejection(`The source "${source.name}" has no tables to read.`);
  try {
    const engine = await sources.engineOf(tenantId, source);
    const opened = await Promise.all(keysOf(source).map((metric) => openTable(source, engine, metric)));
    return { source, engine, tables: opened.filter((table) => table !== undefined) };
  } catch (error) {
    throw toQueryAppError(error);
  }
}

/** One entry per table: `undefined` for the only one of an event source. */
function keysOf(source: ChartableSource): (MetricTableKey | undefined)[] {
  if (source.kind !== 'metric') return [undefined];
  return metricTableKeys.filter((key) => source.metricTables[key]);
}

async function openTable(
  source: ChartableSource,
  engine: ConnectionEngine,
  metric: MetricTableKey | undefined,
): Promise<OpenTable | undefined> {
  const kind = metric && metricKinds[metric];
  const database = source.from.databaseName;
  const table = await engine.schemas.describe(database, tableOf(source, kind));
  if (!table) return undefined;
  const schema = sourceToSchema(source, kind, table);
  return {
    schema,
    table,
    guards: { ...completionLimits, database, ...settingsOfSource(source) },
    ...(metric && { metric }),
  };
}

/** Compiles and runs one question. Throws `AppError` for the client: `query_invalid`, `engine_unavailable`, …. */
export async function ask(
  { engine, source }: OpenSource,
  compile: () => CompiledQuery,
  signal?: AbortSignal,
): Promise<QueryResult> {
  try {
    return await engine.runner.run(compile(), {
      name: 'completion query',
      queryClass: 'interactive',
      timeoutMs: patienceMs,
      ...(signal && { signal }),
    });
  } catch (error) {
    if (error instanceof QueryTextError) throw toTextProblem(error, source.name, (where = 'field') => where);
    throw toQueryAppError(error);
  }
}

export function rejection(text: string): AppError {
  return new AppError('query_invalid', { public: text });
}
