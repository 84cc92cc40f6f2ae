import { groupedBy } from '../../../kernel/grouped-by.ts';
import type { SeriesQuery } from '../../../query/chart-query.ts';
import { compileTogether, type GroupingPlace, type TogetherPlan } from '../../../query/compile-grouping-sets.ts';
import { QueryTextError } from '../../../query/compiled-query.ts';
import type { QueryResult } from '../../../telemetry/ports.ts';
import { countGroups, withGroupsTotal } from './groups-total.ts';
import type { PreparedScan } from './scan-runner.ts';
import { seriesKey } from './series-key.ts';
import type { SharedScan } from './shared-scan.ts';

/** One statement for scans with different buckets and groups. */
export interface Together extends TogetherPlan {
  /** Every series of any of the scans, once. */
  series: readonly SeriesQuery[];
}

/** `undefined` when they can't be read together: metrics, and statements that would be too long. */
export function planTogether(first: PreparedScan, batch: readonly SharedScan[]): Together | undefined {
  const { schema, guards, scan } = first;
  if (schema.kind === 'metric') return undefined;
  const series = [...new Map(batch.flatMap((shared) => shared.series.map((one) => [seriesKey(one), one]))).values()];
  const groupings = batch.flatMap(({ members: [member] }) => (member ? [member.scan.query] : []));
  const { range, conditions = [] } = scan.query;
  try {
    return { ...compileTogether({ range, conditions, groupings, series }, schema, guards), series };
  } catch (error) {
    if (error instanceof QueryTextError) return undefined;
    throw error;
  }
}

/**
 * The result of each scan, as it would have come by itself but for the order of rows; `undefined` for one whose groups
 * would have been cut.
 */
export function takeApart(
  result: QueryResult,
  together: Together,
  batch: readonly SharedScan[],
): (QueryResult | undefined)[] {
  const rowsOf = rowsByKeys(result, together.inUse);
  return batch.map((shared, index) => {
    const place = together.places[index];
    const query = shared.members[0]?.scan.query;
    if (!place || !query) return undefined;
    const rows = rowsOf.get(together.inUse.map((_, key) => (place.ownKeys.has(key) ? 0 : 1)).join('')) ?? [];
    const columns = [
      ...keyColumns(result, place, rows, query.range.startMs),
      ...valuesOf(result, together, shared, rows),
    ];
    const names = columns.map((_, at) => (at === 0 ? 'ts' : `c${at}`));
    const own: QueryResult = { ...result, names, types: [], columns, rows: rows.length };
    const groupFields = place.groupColumns.length;
    if (groupFields === 0) return own;
    const groups = countGroups(own, groupFields);
    return groups >= query.groupsMax ? undefined : withGroupsTotal(own, groups);
  });
}

/** Row numbers by which keys the rows were grouped by. */
function rowsByKeys(result: QueryResult, inUse: readonly number[]): Map<string, number[]> {
  const all = Array.from({ length: result.rows }, (_, row) => row);
  return groupedBy(all, (row) => inUse.map((at) => Number(result.columns[at]?.[row])).join(''));
}

function keyColumns(result: QueryResult, place: GroupingPlace, rows: readonly number[], startMs: number): unknown[][] {
  const { timeColumn, groupColumns } = place;
  const pick = (at: number) => rows.map((row) => result.columns[at]?.[row]);
  return [timeColumn === undefined ? rows.map(() => startMs) : pick(timeColumn), ...groupColumns.map(pick)];
}

/** Number of rows and value of each of the scan's series, in their order. */
function valuesOf(result: QueryResult, together: Together, shared: SharedScan, rows: readonly number[]): unknown[][] {
  const places = new Map(together.series.map((series, index) => [seriesKey(series), index]));
  return shared.series.flatMap((series) => {
    const at = together.firstSeriesColumn + 2 * (places.get(seriesKey(series)) ?? 0);
    return [at, at + 1].map((column) => rows.map((row) => result.columns[column]?.[row]));
  });
}
