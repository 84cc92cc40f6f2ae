import type { QueryResult } from '../../telemetry/ports.ts';
import { type Cell, type ChartTable, compareGroups, GroupIndex } from './chart-table.ts';

export interface AssembledScan {
  /** The chart's numbers of the scan's series. */
  seriesIndexes: readonly number[];
  /** Columns as `query/compiled-query.ts` fixes them: ts, g0…, then n and v of each series. */
  result: QueryResult;
}

export interface AssembleOptions {
  seriesCount: number;
  groupFields: number;
  groupsMax: number;
}

/** The table under construction: rows in any order. */
interface Rows {
  index: GroupIndex;
  bucketsMs: number[];
  groupOf: number[];
  series: Cell[][];
  /** Rows that matched, per group: the size that decides which groups are kept (decisions C5). */
  sizes: number[];
}

/** Merges the answers of all scans on (bucket, group); sorted by bucket, then group (decisions C1). */
export function assembleSeries(scans: readonly AssembledScan[], options: AssembleOptions): ChartTable {
  const rows: Rows = {
    index: new GroupIndex(),
    bucketsMs: [],
    groupOf: [],
    series: Array.from({ length: options.seriesCount }, () => []),
    sizes: [],
  };
  const places = scans.length > 1 ? new Map<string, number>() : undefined;
  for (const scan of scans) addScan(rows, scan, options.groupFields, places);
  return toTable(rows, options.groupsMax);
}

/** `places` finds the row of a (bucket, group) again; a single scan has each of them once and needs none. */
function addScan(
  rows: Rows,
  { result, seriesIndexes }: AssembledScan,
  groupFields: number,
  places: Map<string, number> | undefined,
): void {
  const buckets = result.columns[0] ?? [];
  const groupColumns = result.columns.slice(1, 1 + groupFields);
  const targets = seriesIndexes.map((series, i) => ({
    cells: rows.series[series] ?? [],
    counts: result.columns[1 + groupFields + 2 * i] ?? [],
    values: result.columns[2 + groupFields + 2 * i] ?? [],
  }));
  for (let row = 0; row < result.rows; row++) {
    const group = rows.index.ofRow(groupColumns, row);
    const place = placeOf(rows, Number(buckets[row]), group, places);
    for (const { cells, counts, values } of targets) {
      const count = Number(counts[row]);
      if (count === 0) continue;
      rows.sizes[group] = (rows.sizes[group] ?? 0) + count;
      const value = values[row];
      cells[place] = typeof value === 'number' ? value : null;
    }
  }
}

function placeOf(rows: Rows, bucketMs: number, group: number, places: Map<string, number> | undefined): number {
  const key = places && `${bucketMs}:${group}`;
  const known = key === undefined ? undefined : places?.get(key);
  if (known !== undefined) return known;
  const place = rows.bucketsMs.push(bucketMs) - 1;
  rows.groupOf[place] = group;
  for (const cells of rows.series) cells[place] = undefined;
  if (key !== undefined) places?.set(key, place);
  return place;
}

function toTable(rows: Rows, groupsMax: number): ChartTable {
  const { groups } = rows.index;
  const kept = largestGroups(rows.sizes, groups.length, groupsMax);
  const order = orderOf(rows, kept);
  const inOrder = <T>(column: readonly T[]) => (order === 'asTheyAre' ? column : pick(column, order));
  return {
    groups,
    bucketsMs: inOrder(rows.bucketsMs),
    groupOf: inOrder(rows.groupOf),
    series: rows.series.map(inOrder),
    truncated: kept !== undefined,
  };
}

function pick<T>(column: readonly T[], order: readonly number[]): T[] {
  return order.map((row) => column[row] as T);
}

/** The groups to keep; `undefined` when all of them fit. */
function largestGroups(sizes: readonly number[], count: number, groupsMax: number): Set<number> | undefined {
  if (count <= groupsMax) return undefined;
  const bySize = Array.from({ length: count }, (_, group) => group).sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0));
  return new Set(bySize.slice(0, groupsMax));
}

/**
 * Row numbers in the order of the answer, without rows in which no series has a value. One scan arrives sorted and
 * whole: then nothing need be moved.
 */
function orderOf(rows: Rows, kept: ReadonlySet<number> | undefined): number[] | 'asTheyAre' {
  const rank = ranksOf(rows.index.groups);
  const compare = (a: number, b: number) =>
    (rows.bucketsMs[a] ?? 0) - (rows.bucketsMs[b] ?? 0) ||
    (rank[rows.groupOf[a] ?? 0] ?? 0) - (rank[rows.groupOf[b] ?? 0] ?? 0);
  const order: number[] = [];
  let sorted = true;
  for (let row = 0; row < rows.bucketsMs.length; row++) {
    if (!isShown(rows, row, kept)) continue;
    const last = order.at(-1);
    if (last !== undefined && compare(last, row) > 0) sorted = false;
    order.push(row);
  }
  if (!sorted) return order.sort(compare);
  return order.length === rows.bucketsMs.length ? 'asTheyAre' : order;
}

function isShown(rows: Rows, row: number, kept: ReadonlySet<number> | undefined): boolean {
  if (kept && !kept.has(rows.groupOf[row] ?? 0)) return false;
  return rows.series.some((cells) => cells[row] !== undefined);
}

/** Place of each group in the order of groups. */
function ranksOf(groups: readonly (readonly string[])[]): number[] {
  const sorted = groups.map((group, index) => ({ group, index })).sort((a, b) => compareGroups(a.group, b.group));
  const ranks: number[] = [];
  sorted.forEach(({ index }, rank) => {
    ranks[index] = rank;
  });
  return ranks;
}
