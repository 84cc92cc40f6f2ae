import type { ChartTable } from '../answer/chart-table.ts';
import type { ArrangedColumns } from './arrange-columns.ts';

/** Rows over time as the table of a chart; how many rows had no time, or the time and groups of a later one. */
export interface SqlChartTable {
  table: ChartTable;
  droppedRows: number;
}

/**
 * The rows by time, then group, with the largest groups only. `bucketOf` is where a row belongs, Unix ms; `undefined` =
 * nowhere. Of two rows in one place the later is kept.
 */
export function sqlChartTable(
  { rows, timesMs, groups, values }: ArrangedColumns,
  options: { bucketOf: (timeMs: number) => number | undefined; groupsMax: number },
): SqlChartTable {
  const groupIndex = new Map<string, number>();
  const texts: string[][] = [];
  /** The row of each group, by bucket. */
  const placed = new Map<number, Map<number, number>>();
  let droppedRows = 0;
  for (let row = 0; row < rows; row++) {
    const bucketMs = options.bucketOf(timesMs[row] ?? Number.NaN);
    if (bucketMs === undefined) {
      droppedRows++;
      continue;
    }
    const names = groups.map(({ cells }) => cells[row] ?? '');
    const key = names.length === 1 ? (names[0] ?? '') : JSON.stringify(names);
    const group = groupIndex.get(key) ?? texts.push(names) - 1;
    groupIndex.set(key, group);
    const bucket = placed.get(bucketMs) ?? new Map<number, number>();
    placed.set(bucketMs, bucket);
    if (bucket.has(group)) droppedRows++;
    bucket.set(group, row);
  }
  const kept = largestGroups(placed, values, options.groupsMax);
  const bucketsMs: number[] = [];
  const groupOf: number[] = [];
  const rowOf: number[] = [];
  for (const [bucketMs, bucket] of [...placed].sort(([a], [b]) => a - b)) {
    for (const [group, row] of [...bucket].sort(([a], [b]) => a - b)) {
      if (kept?.has(group) === false) continue;
      bucketsMs.push(bucketMs);
      groupOf.push(group);
      rowOf.push(row);
    }
  }
  return {
    table: {
      groups: texts,
      bucketsMs,
      groupOf,
      series: values.map(({ cells }) => rowOf.map((row) => cells[row] ?? null)),
      truncated: kept !== undefined,
    },
    droppedRows,
  };
}

/** `undefined` when all fit. */
function largestGroups(
  placed: ReadonlyMap<number, ReadonlyMap<number, number>>,
  values: ArrangedColumns['values'],
  max: number,
): Set<number> | undefined {
  const sums = new Map<number, number>();
  for (const bucket of placed.values()) {
    for (const [group, row] of bucket) {
      sums.set(group, (sums.get(group) ?? 0) + Math.abs(values[0]?.cells[row] ?? 0));
    }
  }
  if (sums.size <= max) return undefined;
  const sorted = [...sums].sort(([a, one], [b, other]) => other - one || a - b);
  return new Set(sorted.slice(0, max).map(([group]) => group));
}
