import type { ChartQuery, Guards } from './chart-query.ts';
import { type CompiledQuery, QueryTextError } from './compiled-query.ts';
import { finishPlan } from './finish-plan.ts';
import { planMetrics } from './metrics/plan-metrics.ts';
import { quantileDecoders } from './metrics/quantile-decoders.ts';
import { capGroups, keepGroups } from './passes/cap-groups.ts';
import { useCountProjections } from './passes/use-count-projections.ts';
import { planEvents } from './plan/plan-events.ts';
import type { Select } from './plan/select.ts';
import type { EventSourceSchema, SourceSchema } from './source-schema.ts';

/** What a chart asks of a table. */
export interface ChartPlan {
  /** From the events themselves. */
  events: Select;
  /** See `cheapestPlan`. */
  cheapest: Select;
}

/**
 * The door of this room: all series of one source over one range, as one statement (result columns:
 * `compiled-query.ts`). Throws `QueryTextError` for what the user can put right, with the path of the text and the
 * position in it; `GuardError` if a plan were to leave the tenant's database, which no request can cause.
 */
export function compileChart(query: ChartQuery, source: SourceSchema, guards: Guards): CompiledQuery {
  return finishChart(planChart(query, source), query, guards);
}

/** The first half of `compileChart`: all that can be wrong with the user's texts but their length is found here. */
export function planChart(query: ChartQuery, source: SourceSchema): ChartPlan {
  checkLevels(query);
  const events = source.kind === 'metric' ? planMetrics(query, source) : planEvents(query, source);
  return { events, cheapest: source.kind === 'metric' ? events : cheapestPlan(events, query, source) };
}

/** The same answer from rows that were counted beforehand, where there are some. */
export function cheapestPlan(events: Select, query: ChartQuery, source: EventSourceSchema): Select {
  return useCountProjections(events, query, source);
}

/** The second half of `compileChart`. */
export function finishChart({ cheapest }: ChartPlan, query: ChartQuery, guards: Guards): CompiledQuery {
  return decodable(finishPlan(capGroups(cheapest, query, guards.resultRowsMax + 1), guards), query);
}

/**
 * The statement without the cut to `groupsMax` groups, for those who expect few: at most `rowsMax` rows, without
 * `groups_total`, else as from `finishChart`.
 */
export function finishUncutChart(
  { cheapest }: ChartPlan,
  query: ChartQuery,
  guards: Guards,
  rowsMax: number,
): CompiledQuery {
  return decodable(finishPlan(keepGroups(cheapest, query, rowsMax), guards), query);
}

function decodable(compiled: CompiledQuery, { series }: ChartQuery): CompiledQuery {
  const decode = quantileDecoders(series);
  return decode ? { ...compiled, decode } : compiled;
}

/** It reads rows that were counted beforehand, which costs far less than reading events. */
export function isSummarised({ events, cheapest }: ChartPlan): boolean {
  return cheapest !== events;
}

function checkLevels(query: ChartQuery): void {
  if (query.series.length === 0)
    throw new QueryTextError('at least one series is needed', undefined, undefined, 'series');
  for (const [index, { level }] of query.series.entries()) {
    if (level === undefined || (level >= 0 && level <= 1)) continue;
    throw new QueryTextError('level is a number from 0 to 1', undefined, undefined, `series.${index}.level`);
  }
}
