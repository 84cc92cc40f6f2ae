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
  const placed = new Map<string, { bucketMs: number; group: number; row: number }>();
  let droppedRows = 0;
  for (let row = 0; row < rows; row++) {
    const bucketMs = options.bucketOf(timesMs[row] ?? Number.NaN);
    if (bucketMs === undefined) {
      droppedRows++;
      continue;
    }
    const names = groups.map(({ cells }) => cells[row] ?? '');
    const key = JSON.stringify(names);
    const group = groupIndex.get(key) ?? texts.push(names) - 1;
    groupIndex.set(key, group);
    const place = `${bucketMs} ${group}`;
    if (placed.has(place)) droppedRows++;
    placed.set(place, { bucketMs, group, row });
  }
  const kept = largestGroups([...placed.values()], values, options.groupsMax);
  const sorted = [...placed.values()]
    .filter(({ group }) => kept === undefined || kept.has(group))
    .sort((a, b) => a.bucketMs - b.bucketMs || a.group - b.group);
  return {
    table: {
      groups: texts,
      bucketsMs: sorted.map(({ bucketMs }) => bucketMs),
      groupOf: sorted.map(({ group }) => group),
      series: values.map(({ cells }) => sorted.map(({ row }) => cells[row] ?? null)),
      truncated: kept !== undefined,
    },
    droppedRows,
  };
}

/** `undefined` when all fit. */
function largestGroups(
  placed: readonly { group: number; row: number }[],
  values: ArrangedColumns['values'],
  max: number,
): Set<number> | undefined {
  const sums = new Map<number, number>();
  for (const { group, row } of placed) sums.set(group, (sums.get(group) ?? 0) + Math.abs(values[0]?.cells[row] ?? 0));
  if (sums.size <= max) return undefined;
  const sorted = [...sums].sort(([a, one], [b, other]) => other - one || a - b);
  return new Set(sorted.slice(0, max).map(([group]) => group));
}
