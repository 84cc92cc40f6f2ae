import { AppError } from '../../contract/errors.ts';
import type { TraceSource } from '../../contract/source.ts';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { QueryResult } from '../../telemetry/ports.ts';
import { type OpenEvents, openEvents } from '../charts/reading/open-events.ts';
import type { ReadableSources } from '../charts/reading/readable-sources.ts';
import { runOverEvents } from '../charts/reading/run-over-events.ts';
import type { ScanLimits } from '../charts/reading/scan-runner.ts';
import type { Source } from '../sources/source.ts';

export interface SpanReadingDeps {
  sources: ReadableSources;
  limits: ScanLimits;
}

/** A trace source that is read. */
export interface SpanSource {
  source: TraceSource;
  open: OpenEvents;
  /** Throws `query_invalid` with path and position, `query_timeout`, `query_failed`, `engine_unavailable`. */
  run(compile: () => CompiledQuery): Promise<QueryResult>;
}

/** Throws `source_not_found`, `connection_not_found`, `query_invalid` for other sources, `engine_unavailable`. */
export async function openSpans(
  { sources, limits }: SpanReadingDeps,
  tenantId: string,
  sourceId: string,
  signal: AbortSignal,
): Promise<SpanSource> {
  const source = traceSource(await sources.get(tenantId, sourceId));
  const open = await openEvents(sources, limits, tenantId, source);
  const options = { name: 'services query', timeoutMs: limits.timeoutMs, signal };
  return { source, open, run: (compile) => runOverEvents(open, compile, options) };
}

function traceSource(source: Source): TraceSource {
  if (source.disabled) throw invalid(`sourceId: the source "${source.name}" is disabled.`);
  if (source.kind !== 'trace') {
    throw invalid(`sourceId: the source "${source.name}" is of kind ${source.kind}; services are found in traces.`);
  }
  if (source.serviceNameExpression?.trim()) return source;
  throw invalid(`The source "${source.name}" has no serviceNameExpression, which names the service of a span.`);
}

function invalid(text: string): AppError {
  return new AppError('query_invalid', { public: text });
}
