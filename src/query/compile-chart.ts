import type { ChartQuery, Guards } from './chart-query.ts';
import { type CompiledQuery, QueryTextError } from './compiled-query.ts';
import { finishPlan } from './finish-plan.ts';
import { planMetrics } from './metrics/plan-metrics.ts';
import { capGroups } from './passes/cap-groups.ts';
import { useCountProjections } from './passes/use-count-projections.ts';
import { planEvents } from './plan/plan-events.ts';
import type { SourceSchema } from './source-schema.ts';

/**
 * The door of this room: all series of one source over one range, as one statement (result columns:
 * `compiled-query.ts`). Throws `QueryTextError` for what the user can put right, with the path of the text and the
 * position in it; `GuardError` if a plan were to leave the tenant's database, which no request can cause.
 */
export function compileChart(query: ChartQuery, source: SourceSchema, guards: Guards): CompiledQuery {
  checkLevels(query);
  const raw = source.kind === 'metric' ? planMetrics(query, source) : planEvents(query, source);
  const plan = source.kind === 'metric' ? raw : useCountProjections(raw, query, source);
  const capped = capGroups(plan, query, guards.resultRowsMax + 1);
  return { ...finishPlan(capped, guards), ...(plan !== raw && { summarised: true as const }) };
}

function checkLevels(query: ChartQuery): void {
  if (query.series.length === 0)
    throw new QueryTextError('at least one series is needed', undefined, undefined, 'series');
  for (const [index, { level }] of query.series.entries()) {
    if (level === undefined || (level >= 0 && level <= 1)) continue;
    throw new QueryTextError('level is a number from 0 to 1', undefined, undefined, `series.${index}.level`);
  }
}
