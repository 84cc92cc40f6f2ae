import type { Guards } from './chart-query.ts';
import type { CompiledQuery } from './compiled-query.ts';
import { finishPlan } from './finish-plan.ts';
import { planSearch } from './plan/plan-search.ts';
import type { SearchQuery } from './search-query.ts';
import type { EventSourceSchema } from './source-schema.ts';

/**
 * Events of one source as one statement: columns `c0`, `c1`, … in the order of `query.select`, times as ISO 8601 in
 * UTC. Throws `QueryTextError` with the path (`where`, `select.1`, `orderBy`) and the position; `GuardError` as
 * `compileChart` does.
 */
export function compileSearch(query: SearchQuery, source: EventSourceSchema, guards: Guards): CompiledQuery {
  const compiled = finishPlan(planSearch(query, source), guards);
  return { ...compiled, settings: { ...compiled.settings, date_time_output_format: 'iso' } };
}
