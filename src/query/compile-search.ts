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
 * As `compileSearch`, but events that the wanted order leaves equal come in no order, and the page has a neighbour: one
 * event before it, where there is any, and one after it. After the selected columns stand those of the order, so that
 * the reader sees whether equal events lie on both sides of an edge. The engine reads wide columns of this page only.
 */
export function compileSearchPage(query: SearchQuery, source: EventSourceSchema, guards: Guards): CompiledQuery {
  return withIsoTimes(finishPlan(planSearchPage(query, source), guards));
}

function withIsoTimes(compiled: CompiledQuery): CompiledQuery {
  return { ...compiled, settings: { ...compiled.settings, date_time_output_format: 'iso' } };
}
