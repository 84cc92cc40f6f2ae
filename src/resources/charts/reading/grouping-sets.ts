import { groupedBy } from '../../../kernel/grouped-by.ts';
import type { SeriesQuery } from '../../../query/chart-query.ts';
import {
  compileGroupingSets,
  type GroupingPlace,
  type GroupingSetsPlan,
} from '../../../query/compile-grouping-sets.ts';
import type { QueryResult } from '../../../telemetry/ports.ts';
import { withFewGroups } from './groups-total.ts';
import type { PreparedScan } from './prepared-scan.ts';
import type { ReadPlan } from './read-plan.ts';
import { seriesKey } from './series-key.ts';
import type { SharedSeries } from './shared-series.ts';
import { unlessTooLong } from './unless-too-long.ts';

/** One statement for scans with different buckets and groups, and every series of any of them, once. */
interface Together extends GroupingSetsPlan {
  series: readonly SeriesQuery[];
}

/** `undefined` when they can't be read together: metrics, and statements that would be too long. */
export function planGroupingSets(batch: readonly [SharedSeries, ...SharedSeries[]]): ReadPlan | undefined {
  const together = compileBatch(batch);
  if (!together) return undefined;
  const scans = batch.flatMap(({ members }) => members);
  return {
    mechanism: 'groupingSets',
    reason: `${scans.length} queries read the same rows in ${batch.length} groupings, which is cheaper in one statement`,
    scans,
    statement: () => together.compiled,
    split: (result) => splitResult(result, together, batch),
  };
}

function compileBatch(batch: readonly [SharedSeries, ...SharedSeries[]]): Together | undefined {
  const { schema, guards, scan } = batch[0].members[0];
  if (schema.kind === 'metric') return undefined;
  const series = [...new Map(batch.flatMap((shared) => shared.series.map((one) => [seriesKey(one), one]))).values()];
  const groupings = batch.map(({ members: [member] }) => member.scan.query);
  const { range, conditions = [] } = scan.query;
  return unlessTooLong(() => ({
    ...compileGroupingSets({ range, conditions, groupings, series }, schema, guards),
    series,
  }));
}

/**
 * The result of each scan, as it would be alone except for the order of rows; `undefined` for one that may have more
 * groups than it shows.
 */
function splitResult(
  result: QueryResult,
  together: Together,
  batch: readonly SharedSeries[],
): (QueryResult | undefined)[] {
  const rowsOf = rowsByKeys(result, together.inUse);
  return batch.flatMap(({ members }, index) => {
    const place = together.places[index];
    if (!place) return members.map(() => undefined);
    const rows = rowsOf.get(together.inUse.map((_, key) => (place.ownKeys.has(key) ? 0 : 1)).join('')) ?? [];
    return members.map((member) => resultOf(result, { together, place, rows }, member));
  });
}

/** Row numbers by which keys the rows were grouped by. */
function rowsByKeys(result: QueryResult, inUse: readonly number[]): Map<string, number[]> {
  const all = Array.from({ length: result.rows }, (_, row) => row);
  return groupedBy(all, (row) => inUse.map((at) => Number(result.columns[at]?.[row])).join(''));
}

interface OwnRows {
  together: Together;
  place: GroupingPlace;
  rows: readonly number[];
}

function resultOf(result: QueryResult, own: OwnRows, { scan: { query } }: PreparedScan): QueryResult | undefined {
  const columns = [...keyColumns(result, own, query.range.startMs), ...valueColumns(result, own, query.series)];
  const names = columns.map((_, at) => (at === 0 ? 'ts' : `c${at}`));
  const split: QueryResult = { ...result, names, types: [], columns, rows: own.rows.length };
  return withFewGroups(split, query);
}

function keyColumns(result: QueryResult, { place, rows }: OwnRows, startMs: number): unknown[][] {
  const { timeColumn, groupColumns } = place;
  const pick = (at: number) => rows.map((row) => result.columns[at]?.[row]);
  return [timeColumn === undefined ? rows.map(() => startMs) : pick(timeColumn), ...groupColumns.map(pick)];
}

/** Number of rows and value of each of the scan's series, in their order. */
function valueColumns(
  result: QueryResult,
  { together, rows }: OwnRows,
  ownSeries: readonly SeriesQuery[],
): unknown[][] {
  const places = new Map(together.series.map((series, index) => [seriesKey(series), index]));
  return ownSeries.flatMap((series) => {
    const at = together.firstSeriesColumn + 2 * (places.get(seriesKey(series)) ?? 0);
    return [at, at + 1].map((column) => rows.map((row) => result.columns[column]?.[row]));
  });
}
