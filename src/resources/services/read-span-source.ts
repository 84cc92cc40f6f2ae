import { AppError } from '../../contract/errors.ts';
import type { TraceSource } from '../../contract/source.ts';
import { type CompiledQuery, QueryTextError } from '../../query/compiled-query.ts';
import type { QueryResult } from '../../telemetry/ports.ts';
import { type OpenEvents, openEvents } from '../charts/reading/open-events.ts';
import { toQueryAppError } from '../charts/reading/query-errors.ts';
import type { ReadableSources } from '../charts/reading/readable-sources.ts';
import type { ScanLimits } from '../charts/reading/scan-runner.ts';
import { toTextProblem } from '../charts/request/text-problem.ts';
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
  const options = { name: 'services query', queryClass: 'interactive', timeoutMs: limits.timeoutMs, signal } as const;
  return {
    source,
    open,
    run: async (compile) => {
      try {
        return await open.engine.runner.run(compile(), options);
      } catch (error) {
        if (error instanceof QueryTextError) throw toTextProblem(error, source.name, (where = 'where') => where);
        throw toQueryAppError(error);
      }
    },
  };
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
