import { type CompiledQuery, QueryTextError } from '../../../query/compiled-query.ts';
import type { QueryResult } from '../../../telemetry/ports.ts';
import { toTextProblem } from '../request/text-problem.ts';
import type { OpenEvents } from './open-events.ts';
import { toQueryAppError } from './query-errors.ts';

export interface EventsRun {
  /** In traces and the engine's own log. */
  name: string;
  timeoutMs: number;
  signal: AbortSignal;
  /** Where the caller's text is in the request; that is where the compiler has it when absent. */
  pathOf?: (where: string | undefined) => string;
}

/**
 * Compiles one statement over events and runs it. Throws `query_invalid` with path and position, `query_timeout`,
 * `query_failed`, `engine_unavailable`.
 */
export async function runOverEvents(
  { source, engine }: OpenEvents,
  compile: () => CompiledQuery,
  { name, timeoutMs, signal, pathOf = (where = 'where') => where }: EventsRun,
): Promise<QueryResult> {
  try {
    return await engine.runner.run(compile(), { name, queryClass: 'interactive', timeoutMs, signal });
  } catch (error) {
    if (error instanceof QueryTextError) throw toTextProblem(error, source.name, pathOf);
    throw toQueryAppError(error);
  }
}
