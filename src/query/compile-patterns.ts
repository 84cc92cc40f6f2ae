import type { Guards } from './chart-query.ts';
import type { CompiledQuery } from './compiled-query.ts';
import { finishPlan } from './finish-plan.ts';
import type { PatternsQuery } from './patterns-query.ts';
import { planMatchCount, planTexts } from './plan/plan-patterns.ts';
import type { EventSourceSchema } from './source-schema.ts';

/**
 * Columns `v` (a text) and `n` (events of the sample that have it), in any order. Throws `QueryTextError` with the path
 * (`field`, `where` or that of a condition) and the position.
 */
export function compileTexts(query: PatternsQuery, source: EventSourceSchema, guards: Guards): CompiledQuery {
  return finishPlan(planTexts(query, source), guards);
}

/** One column `n`: the events of the range that match. Throws as `compileTexts` does. */
export function compileMatchCount(query: PatternsQuery, source: EventSourceSchema, guards: Guards): CompiledQuery {
  return finishPlan(planMatchCount(query, source), guards);
}
