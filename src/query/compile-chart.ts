import type { ChartQuery, Guards } from './chart-query.ts';
import { type CompiledQuery, needsCareColumn, QueryTextError, type Technique } from './compiled-query.ts';
import { finishPlan } from './finish-plan.ts';
import { planMetrics } from './metrics/plan-metrics.ts';
import { quantileDecoders } from './metrics/quantile-decoders.ts';
import { dropRepeats } from './passes/drop-repeats.ts';
import { type FoldedGroups, foldBuckets } from './passes/fold-buckets.ts';
import { groupCheaply } from './passes/group-cheaply.ts';
import { allGroups, topNGroups, topNOfFoldedGroups } from './passes/limit-groups.ts';
import { useCountProjections } from './passes/use-count-projections.ts';
import { planEvents } from './plan/plan-events.ts';
import type { Select } from './plan/select.ts';
import type { EventSourceSchema, MetricSourceSchema, SourceSchema } from './source-schema.ts';

/** What a chart asks of a table. */
export interface ChartPlan {
  /** From the events themselves. */
  events: Select;
  /** The same answer at the least cost. */
  cheapest: Select;
  /** It reads rows that were counted beforehand, which costs far less than reading events. */
  isSummarised: boolean;
  /** `cheapest` with the buckets of each group in arrays, where the largest groups are found at less cost like that. */
  folded?: FoldedGroups;
  /** Of counters and distributions: the plan that is right also where the answer of this one needs care. */
  careful?: () => ChartPlan;
}

/**
 * The door of this room: all series of one source over one range, as one statement (result columns:
 * `compiled-query.ts`). Throws `QueryTextError` for what the user can put right, with the path of the text and the
 * position in it; `GuardError` if a plan were to leave the tenant's database, which no request can cause.
 */
export function compileChart(query: ChartQuery, source: SourceSchema, guards: Guards): CompiledQuery {
  return compileTopN(planChart(query, source), query, guards);
}

/** The first half of `compileChart`: all that can be wrong with the user's texts but their length is found here. */
export function planChart(query: ChartQuery, source: SourceSchema): ChartPlan {
  checkLevels(query);
  if (source.kind === 'metric') {
    const points = planMetrics(query, source);
    const plan = { events: points, cheapest: points, isSummarised: false };
    const mayNeedCare = points.columns.some(({ as }) => as === needsCareColumn);
    return mayNeedCare ? { ...plan, careful: () => planCarefully(query, source) } : plan;
  }
  const events = planEvents(query, source);
  const counted = cheapestPlan(events, query, source);
  if (counted !== events) return { events, cheapest: counted, isSummarised: true };
  const cheapest = groupCheaply(events, query, source);
  const folded = cheapest.inOrder ? undefined : foldBuckets(events, query, source);
  return { events, cheapest, isSummarised: false, ...(folded && { folded }) };
}

function planCarefully(query: ChartQuery, source: MetricSourceSchema): ChartPlan {
  const points = planMetrics(query, source, true);
  return { events: points, cheapest: points, isSummarised: false };
}

/** The same answer from rows that were counted beforehand, where there are some. */
export function cheapestPlan(events: Select, query: ChartQuery, source: EventSourceSchema): Select {
  return useCountProjections(events, query, source);
}

/** The second half of `compileChart`: the `groupsMax` groups with the most rows. */
export function compileTopN(plan: ChartPlan, query: ChartQuery, guards: Guards): CompiledQuery {
  const { careful } = plan;
  const isFolded = plan.folded !== undefined && !query.groupsPerBucket;
  const limits: Technique[] = isFolded ? ['foldedBuckets', 'topNLimit'] : [...techniquesOf(plan), 'topNLimit'];
  const techniques = query.groupBy.length > 0 ? limits : techniquesOf(plan);
  const compiled = { ...finish(topNPlan(plan, query, guards), query, guards), techniques };
  return careful ? { ...compiled, careful: () => compileTopN(careful(), query, guards) } : compiled;
}

/** The plan with a top-N limit on its groups. */
function topNPlan(plan: ChartPlan, query: ChartQuery, { resultRowsMax }: Guards): Select {
  const rowsMax = resultRowsMax + 1;
  if (plan.folded && !query.groupsPerBucket) return topNOfFoldedGroups(plan.folded, query, rowsMax);
  return topNGroups(plan.cheapest, query, rowsMax);
}

/**
 * The statement without a limit on groups, for those who expect few: at most `rowsMax` rows, without `groups_total`,
 * else as from `compileTopN`.
 */
export function compileAllGroups(plan: ChartPlan, query: ChartQuery, guards: Guards, rowsMax: number): CompiledQuery {
  const { careful } = plan;
  const techniques = techniquesOf(plan);
  const compiled = { ...finish(allGroups(plan.cheapest, query, rowsMax), query, guards), techniques };
  return careful ? { ...compiled, careful: () => compileAllGroups(careful(), query, guards, rowsMax) } : compiled;
}

function techniquesOf({ events, cheapest, isSummarised }: ChartPlan): Technique[] {
  if (isSummarised) return ['countProjection'];
  if (cheapest.inOrder) return ['tableOrder'];
  return cheapest !== events && (cheapest.groupBy?.length ?? 0) < (events.groupBy?.length ?? 0) ? ['groupHash'] : [];
}

function finish(plan: Select, { series }: ChartQuery, guards: Guards): CompiledQuery {
  const { asked, repeated } = dropRepeats(plan);
  const decode = quantileDecoders(series);
  return { ...finishPlan(asked, guards), ...(repeated.size > 0 && { repeated }), ...(decode && { decode }) };
}

function checkLevels(query: ChartQuery): void {
  if (query.series.length === 0)
    throw new QueryTextError('at least one series is required', undefined, undefined, 'series');
  for (const [index, { level }] of query.series.entries()) {
    if (level === undefined || (level >= 0 && level <= 1)) continue;
    throw new QueryTextError('level must be a number from 0 to 1', undefined, undefined, `series.${index}.level`);
  }
}
