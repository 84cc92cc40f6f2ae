import type { Guards } from './chart-query.ts';
import type { CompiledQuery } from './compiled-query.ts';
import { finishPlan } from './finish-plan.ts';
import { planServiceErrors } from './plan/plan-service-errors.ts';
import { planCalls, planOutsideCalls } from './plan/plan-service-map.ts';
import { planServices } from './plan/plan-services.ts';
import type { ServiceErrorsQuery, ServiceMapQuery, ServicesQuery } from './services-query.ts';
import type { EventSourceSchema } from './source-schema.ts';

/**
 * Columns `g` (service or operation), `is_current` (0 or 1: which period), `spans` (rows) and for each basis
 * `entry_calls` (before sampling), `entry_errors` and `entry_q0` to `entry_q2` (durations at `durationLevels`, as the
 * source counts them; NaN or NULL without any). Those with most spans come first. Throws `QueryTextError` with the path
 * (`where` or that of a text of the source) and the position.
 */
export function compileServices(query: ServicesQuery, source: EventSourceSchema, guards: Guards): CompiledQuery {
  return finishPlan(planServices(query, source), guards);
}

/**
 * Columns `type`, `message` and `trace_id` (of the last), `spans` (before sampling), `traces`, `first_ms` and `last_ms`
 * (Unix milliseconds); the most frequent first. Throws as `compileServices` does.
 */
export function compileServiceErrors(
  query: ServiceErrorsQuery,
  source: EventSourceSchema,
  guards: Guards,
): CompiledQuery {
  return finishPlan(planServiceErrors(query, source), guards);
}

/**
 * Calls that arrived in another service: columns `caller`, `callee`, `calls` (before sampling), `errors` and `q0` to `q2`
 * of the callee's spans; the most frequent first. Throws as `compileServices` does.
 */
export function compileCalls(query: ServiceMapQuery, source: EventSourceSchema, guards: Guards): CompiledQuery {
  return finishPlan(planCalls(query, source), guards);
}

/**
 * Calls of what sends no spans, or messages from it: columns `service`, `system_kind` (`database`, `messaging`,
 * `external`), `system_name` ('' where the spans do not name it), then as `compileCalls` of the service's own spans.
 */
export function compileOutsideCalls(
  query: ServiceMapQuery,
  direction: 'outgoing' | 'incoming',
  source: EventSourceSchema,
  guards: Guards,
): CompiledQuery {
  return finishPlan(planOutsideCalls(query, direction, source), guards);
}
