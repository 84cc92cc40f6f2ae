import { AppError } from '../../../contract/errors.ts';
import type { LogSource, TraceSource } from '../../../contract/source.ts';
import type { Guards } from '../../../query/chart-query.ts';
import type { EventSourceSchema } from '../../../query/source-schema.ts';
import { settingsOfSource } from '../../sources/settings-of-source.ts';
import type { Source } from '../../sources/source.ts';
import type { ConnectionEngine } from './connection-engine.ts';
import { toQueryAppError } from './query-errors.ts';
import type { ReadableSources } from './readable-sources.ts';
import type { ScanLimits } from './scan-runner.ts';
import { sourceToSchema } from './source-to-schema.ts';

/** A log or trace source with the live columns of its table. */
export interface OpenEvents {
  source: LogSource | TraceSource;
  engine: ConnectionEngine;
  schema: EventSourceSchema;
  guards: Guards;
}

/** The source if it has events to read. Throws `query_invalid` for a disabled source and for other kinds. */
export function eventSource(source: Source): LogSource | TraceSource {
  if (source.disabled) throw invalid(`sourceId: the source "${source.name}" is disabled.`);
  if (source.kind === 'log' || source.kind === 'trace') return source;
  throw invalid(
    `sourceId: the source "${source.name}" is of kind ${source.kind}; only logs and traces can be searched.`,
  );
}

/** Throws `query_invalid` where the table is missing, `connection_not_found`, `engine_unavailable`. */
export async function openEvents(
  sources: ReadableSources,
  limits: ScanLimits,
  tenantId: string,
  source: LogSource | TraceSource,
): Promise<OpenEvents> {
  try {
    const engine = await sources.engineOf(tenantId, source);
    const table = await engine.schemas.describe(source.from.databaseName, source.from.tableName);
    if (!table) throw invalid(`The table of the source "${source.name}" does not exist.`);
    const schema = sourceToSchema(source, undefined, table);
    if (schema.kind === 'metric') throw new Error('a log or trace source became one of metrics');
    const guards = { ...limits, database: source.from.databaseName, ...settingsOfSource(source) };
    return { source, engine, schema, guards };
  } catch (error) {
    throw toQueryAppError(error);
  }
}

function invalid(text: string): AppError {
  return new AppError('query_invalid', { public: text });
}
