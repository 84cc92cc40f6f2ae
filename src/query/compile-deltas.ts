import type { Guards } from './chart-query.ts';
import type { CompiledQuery } from './compiled-query.ts';
import type { DeltasQuery } from './deltas-query.ts';
import { finishPlan } from './finish-plan.ts';
import { planDeltas, planSelectedCount } from './plan/plan-deltas.ts';
import { comparedFields } from './schema/compared-fields.ts';
import type { EventSourceSchema } from './source-schema.ts';

/**
 * Counts of the values that differ most, as one statement: columns `f` (index in `comparedFields`), `k` (attribute key,
 * '' for columns), `v`, `a` and `b` (selected events with this value, and others), `has_a` and `has_b` (with any value),
 * `all_a` and `all_b` (events), `attributes` (how many were compared). The first row has `f` -1 and all events of both
 * sides; there is none if no event was read. Throws `QueryTextError` with the path (`where`, `selection.where`) and the
 * position.
 */
export function compileDeltas(query: DeltasQuery, source: EventSourceSchema, guards: Guards): CompiledQuery {
  return finishPlan(planDeltas(query, source, comparedFields(source)), guards);
}

/** One column `n`: the selected events in the slices of the selection. Throws as `compileDeltas` does. */
export function compileSelectedCount(query: DeltasQuery, source: EventSourceSchema, guards: Guards): CompiledQuery {
  return finishPlan(planSelectedCount(query, source), guards);
}
