import { bySize, type ChartTable, GroupIndex } from '../answer/chart-table.ts';
import type { ArrangedColumns, SqlTimeColumn } from './arrange-columns.ts';

/** Rows over time as the table of a chart; how many rows had no time, or the time and groups of a later one. */
export interface SqlChartTable {
  table: ChartTable;
  droppedRows: number;
}

interface Options {
  /** Where an instant belongs, Unix ms; `undefined` = nowhere. */
  bucketOf: (timeMs: number) => number | undefined;
  groupsMax: number;
}

/** The rows by time, then group, with the largest groups only. Of two rows in one place the later is kept. */
export function sqlChartTable(columns: ArrangedColumns, { bucketOf, groupsMax }: Options): SqlChartTable {
  const { groups, bucketsMs, inBuckets, bucketOfRow, groupOfRow } = placesOf(columns, bucketOf);
  const byPlace = sortedByKey(sortedByKey(inBuckets, groupOfRow, groups.length), bucketOfRow, bucketsMs.length);
  const placed = byPlace.filter((row, at) => {
    const next = byPlace[at + 1] ?? -1;
    return bucketOfRow[row] !== bucketOfRow[next] || groupOfRow[row] !== groupOfRow[next];
  });
  const kept = largestGroups(placed, groupOfRow, { groups: groups.length, values: columns.values, groupsMax });
  const rows = kept ? placed.filter((row) => kept.has(groupOfRow[row] ?? 0)) : placed;
  return {
    table: {
      groups,
      bucketsMs: rows.map((row) => bucketsMs[bucketOfRow[row] ?? 0] ?? 0),
      groupOf: rows.map((row) => groupOfRow[row] ?? 0),
      series: columns.values.map(({ cells }) => rows.map((row) => cells[row] ?? null)),
      truncated: kept !== undefined,
    },
    droppedRows: columns.rows - placed.length,
  };
}

interface Places {
  groups: string[][];
  /** Each once, in the order of time. */
  bucketsMs: number[];
  /** Rows that have a bucket. */
  inBuckets: number[];
  /** Index of each row's bucket; -1 = none. */
  bucketOfRow: number[];
  /** Index of each row's group, of a row in a bucket. */
  groupOfRow: number[];
}

function placesOf({ rows, time, groups }: ArrangedColumns, bucketOf: Options['bucketOf']): Places {
  const { bucketsMs, bucketOfInstant } = bucketsOfInstants(time, bucketOf);
  const columns = groups.map(({ cells }) => cells);
  const index = new GroupIndex();
  const inBuckets: number[] = [];
  const bucketOfRow: number[] = [];
  const groupOfRow: number[] = [];
  for (let row = 0; row < rows; row++) {
    const bucket = bucketOfInstant[time.instantOf[row] ?? -1] ?? -1;
    bucketOfRow.push(bucket);
    groupOfRow.push(bucket < 0 ? -1 : index.ofRow(columns, row));
    if (bucket >= 0) inBuckets.push(row);
  }
  return { groups: index.groups, bucketsMs, inBuckets, bucketOfRow, groupOfRow };
}

function bucketsOfInstants({ instantsMs }: SqlTimeColumn, bucketOf: Options['bucketOf']) {
  const buckets = instantsMs.map(bucketOf);
  const bucketsMs = [...new Set(buckets.filter((bucketMs) => bucketMs !== undefined))].sort((a, b) => a - b);
  const indexes = new Map<number | undefined, number>(bucketsMs.map((bucketMs, index) => [bucketMs, index]));
  return { bucketsMs, bucketOfInstant: buckets.map((bucketMs) => indexes.get(bucketMs) ?? -1) };
}

/** By key, those with the same key in the order they had; keys are below `keys`. A counting sort: rows are many, keys few. */
function sortedByKey(rows: readonly number[], keyOfRow: readonly number[], keys: number): number[] {
  const next = new Array<number>(keys + 1).fill(0);
  for (const row of rows) {
    const following = (keyOfRow[row] ?? 0) + 1;
    next[following] = (next[following] ?? 0) + 1;
  }
  for (let key = 1; key <= keys; key++) next[key] = (next[key] ?? 0) + (next[key - 1] ?? 0);
  const ordered = new Array<number>(rows.length).fill(0);
  for (const row of rows) {
    const key = keyOfRow[row] ?? 0;
    const at = next[key] ?? 0;
    ordered[at] = row;
    next[key] = at + 1;
  }
  return ordered;
}

/** By the sizes of their values; `undefined` when all fit. */
function largestGroups(
  placed: readonly number[],
  groupOfRow: readonly number[],
  { groups, values, groupsMax }: { groups: number; values: ArrangedColumns['values']; groupsMax: number },
): Set<number> | undefined {
  if (groups <= groupsMax) return undefined;
  const sums = new Array<number>(groups).fill(0);
  for (const row of placed) {
    const group = groupOfRow[row] ?? 0;
    sums[group] = (sums[group] ?? 0) + Math.abs(values[0]?.cells[row] ?? 0);
  }
  return new Set(bySize(sums.keys(), sums).slice(0, groupsMax));
}
