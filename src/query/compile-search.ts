import type { Guards } from './chart-query.ts';
import type { CompiledQuery } from './compiled-query.ts';
import { finishPlan } from './finish-plan.ts';
import { planSearch, planSearchPage } from './plan/plan-search.ts';
import type { SearchQuery } from './search-query.ts';
import type { EventSourceSchema } from './source-schema.ts';

/**
 * Events of one source as one statement: columns `c0`, `c1`, … in the order of `query.select`, times as ISO 8601 in
 * UTC. Throws `QueryTextError` with the path (`where`, `select.1`, `orderBy`) and the position; `GuardError` as
 * `compileChart` does.
 */
export function compileSearch(query: SearchQuery, source: EventSourceSchema, guards: Guards): CompiledQuery {
  return withIsoTimes(finishPlan(planSearch(query, source), guards));
}

/**
 * Like `compileSearch`, but ties in the requested order are left unordered, and the page includes its neighbours: one
 * event before it, if there is one, and one after it. The order's columns follow the selected ones, so that the reader
 * can see whether a tie crosses an edge. The engine reads wide columns for this page only.
 */
export function compileSearchPage(query: SearchQuery, source: EventSourceSchema, guards: Guards): CompiledQuery {
  return withIsoTimes(finishPlan(planSearchPage(query, source), guards));
}

function withIsoTimes(compiled: CompiledQuery): CompiledQuery {
  return { ...compiled, settings: { ...compiled.settings, date_time_output_format: 'iso' } };
}
