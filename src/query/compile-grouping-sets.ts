import type { ChartQuery, Guards, SeriesQuery, TimeRange } from './chart-query.ts';
import type { CompiledQuery } from './compiled-query.ts';
import { finishPlan } from './finish-plan.ts';
import { planEvents } from './plan/plan-events.ts';
import type { OutputColumn } from './plan/select.ts';
import { alias, call } from './plan/sql-expr.ts';
import { eventBucket } from './plan/time-buckets.ts';
import type { EventSourceSchema } from './source-schema.ts';

/** The buckets and groups of one of several charts; `granularityMs` absent = one bucket over the whole range. */
export type Grouping = Pick<ChartQuery, 'granularityMs' | 'bucketOriginMs' | 'bucketEdges' | 'groupBy'>;

/** Charts that read the same rows and differ in buckets and groups. */
export interface GroupingSetsQuery extends Pick<ChartQuery, 'range' | 'conditions'> {
  groupings: readonly Grouping[];
  series: readonly SeriesQuery[];
}

/** Where to find the answer of one grouping in the result. */
export interface GroupingPlace {
  /** Column of the bucket; absent = all rows are one bucket, that of the range's start. */
  timeColumn?: number;
  groupColumns: readonly number[];
  /** Rows of this grouping have 0 in its own columns of `inUse` and 1 in all others. */
  ownKeys: ReadonlySet<number>;
}

export interface GroupingSetsPlan {
  compiled: CompiledQuery;
  places: readonly GroupingPlace[];
  /** Per key, the column that says whether the row was grouped by it: 0 = it was. */
  inUse: readonly number[];
  /** Column of the first series' number of rows; its value comes next, then those of the other series. */
  firstSeriesColumn: number;
}

/**
 * One read of a log or trace source for several groupings of its rows (GROUPING SETS): every series in every grouping.
 * Groups are not limited. Throws as `compileChart` does.
 */
export function compileGroupingSets(
  query: GroupingSetsQuery,
  source: EventSourceSchema,
  guards: Guards,
): GroupingSetsPlan {
  const { range, groupings, series } = query;
  const times = distinct(
    groupings.filter((each) => !isWhole(each, range)),
    timeText,
  );
  const texts = distinct(
    groupings.flatMap(({ groupBy }) => groupBy),
    (text) => text,
  );
  const plan = planEvents({ ...query, bucketOriginMs: 0, series, groupBy: texts, groupsMax: 1 }, source);
  const timeKeys = times.map(
    (each, index): OutputColumn => ({
      as: `t${index}`,
      expr: eventBucket({ ...query, ...each }, source),
    }),
  );
  const [, ...others] = plan.columns;
  const keys = [...timeKeys, ...others.slice(0, texts.length)];
  const inUse = keys.map(({ as }): OutputColumn => ({ as: `u${as}`, expr: call('grouping', alias(as)) }));
  const places = groupings.map((each) => placeOf(each, range, times.map(timeText), texts));
  const compiled = finishPlan(
    {
      columns: [...keys, ...inUse, ...others.slice(texts.length)],
      from: plan.from,
      ...(plan.where && { where: plan.where }),
      // A set listed twice would return its rows twice.
      groupingSets: distinct(places, ({ ownKeys }) => [...ownKeys].sort().join()).map(({ ownKeys }) =>
        [...ownKeys].map((key) => alias(keys[key]?.as ?? '')),
      ),
      limit: guards.resultRowsMax + 1,
    },
    guards,
  );
  return { compiled, places, inUse: keys.map((_, index) => keys.length + index), firstSeriesColumn: 2 * keys.length };
}

function placeOf(
  grouping: Grouping,
  range: TimeRange,
  times: readonly string[],
  texts: readonly string[],
): GroupingPlace {
  const groupColumns = grouping.groupBy.map((text) => times.length + texts.indexOf(text));
  if (isWhole(grouping, range)) return { groupColumns, ownKeys: new Set(groupColumns) };
  const timeColumn = times.indexOf(timeText(grouping));
  return { timeColumn, groupColumns, ownKeys: new Set([timeColumn, ...groupColumns]) };
}

function isWhole({ granularityMs, bucketOriginMs, bucketEdges }: Grouping, { startMs, endMs }: TimeRange): boolean {
  if (bucketEdges) return false;
  return granularityMs === undefined || (bucketOriginMs === startMs && granularityMs === endMs - startMs);
}

/** Equal for the same buckets: the engine takes equal keys for one, whose sets it then mixes up. */
function timeText({ granularityMs = 0, bucketOriginMs, bucketEdges }: Grouping): string {
  return bucketEdges ? bucketEdges.atMs.join() : `${granularityMs} ${bucketOriginMs % granularityMs}`;
}

function distinct<T>(items: readonly T[], textOf: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [textOf(item), item])).values()];
}
