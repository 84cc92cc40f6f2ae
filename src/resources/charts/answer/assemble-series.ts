import { groupedBy } from '../../../kernel/grouped-by.ts';
import type { QueryResult } from '../../../telemetry/ports.ts';
import { bySize, type Cell, type ChartTable, compareGroups, GroupIndex } from './chart-table.ts';

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
  /** That many of each bucket instead of the whole range. */
  groupsPerBucket?: boolean;
}

/** The table under construction: rows in any order. */
interface Rows {
  index: GroupIndex;
  bucketsMs: number[];
  groupOf: number[];
  series: Cell[][];
  /** Rows that matched, per row: the size of its group there, which decides which groups are kept (decisions C5). */
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
  return toTable(rows, options);
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
    // Rows of other tiles that shared the statement are not rows or groups of this chart.
    let place: number | undefined;
    for (const { cells, counts, values } of targets) {
      const count = Number(counts[row]);
      if (count === 0) continue;
      place ??= placeOf(rows, Number(buckets[row]), rows.index.ofRow(groupColumns, row), places);
      rows.sizes[place] = (rows.sizes[place] ?? 0) + count;
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

function toTable(rows: Rows, { groupsMax, groupsPerBucket }: AssembleOptions): ChartTable {
  const { groups } = rows.index;
  const cut = groupsPerBucket ? cutPerBucket(rows, groupsMax) : cutWhole(rows, groupsMax);
  const order = orderOf(rows, cut);
  const inOrder = <T>(column: readonly T[]) => (order === 'asTheyAre' ? column : pick(column, order));
  return {
    groups,
    bucketsMs: inOrder(rows.bucketsMs),
    groupOf: inOrder(rows.groupOf),
    series: rows.series.map(inOrder),
    truncated: cut !== undefined,
    ...(cut?.bucketsMs && { truncatedBuckets: cut.bucketsMs }),
  };
}

function pick<T>(column: readonly T[], order: readonly number[]): T[] {
  // Every column has all rows.
  return order.map((row) => column[row] as T);
}

interface Cut {
  keeps(row: number): boolean;
  /** Where groups were left out; absent = everywhere. */
  bucketsMs?: ReadonlySet<number>;
}

/** Keeps the groups that are largest over all buckets; `undefined` when all of them fit. */
function cutWhole({ index, groupOf, sizes }: Rows, groupsMax: number): Cut | undefined {
  const count = index.groups.length;
  if (count <= groupsMax) return undefined;
  const totals = Array<number>(count).fill(0);
  groupOf.forEach((group, row) => {
    totals[group] = (totals[group] ?? 0) + (sizes[row] ?? 0);
  });
  const kept = new Set(bySize(totals.keys(), totals).slice(0, groupsMax));
  return { keeps: (row) => kept.has(groupOf[row] ?? 0) };
}

/** Keeps the largest groups of each bucket, as if it were the only one; `undefined` if all of them fit. */
function cutPerBucket({ bucketsMs, sizes }: Rows, groupsMax: number): Cut | undefined {
  const buckets = groupedBy(bucketsMs.keys(), (row) => bucketsMs[row] ?? 0);
  const tooMany = [...buckets].filter(([, of]) => of.length > groupsMax);
  if (tooMany.length === 0) return undefined;
  const smaller = new Set(tooMany.flatMap(([, of]) => bySize(of, sizes).slice(groupsMax)));
  return { keeps: (row) => !smaller.has(row), bucketsMs: new Set(tooMany.map(([bucketMs]) => bucketMs)) };
}

/**
 * Row numbers in the order of the answer, without rows in which no series has a value. One scan arrives sorted and
 * whole: then nothing need be moved.
 */
function orderOf(rows: Rows, cut: Cut | undefined): number[] | 'asTheyAre' {
  const rank = ranksOf(rows.index.groups);
  const compare = (a: number, b: number) =>
    (rows.bucketsMs[a] ?? 0) - (rows.bucketsMs[b] ?? 0) ||
    (rank[rows.groupOf[a] ?? 0] ?? 0) - (rank[rows.groupOf[b] ?? 0] ?? 0);
  const order: number[] = [];
  let sorted = true;
  for (let row = 0; row < rows.bucketsMs.length; row++) {
    if (!isShown(rows, row, cut)) continue;
    const last = order.at(-1);
    if (last !== undefined && compare(last, row) > 0) sorted = false;
    order.push(row);
  }
  if (!sorted) return order.sort(compare);
  return order.length === rows.bucketsMs.length ? 'asTheyAre' : order;
}

function isShown(rows: Rows, row: number, cut: Cut | undefined): boolean {
  if (cut && !cut.keeps(row)) return false;
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
