import { AppError } from '../../../contract/errors.ts';
import { type Buckets, bucketsOf, countBuckets } from '../request/buckets.ts';
import { type Cell, type ChartTable, groupsWithRows } from './chart-table.ts';

export interface FillOptions {
  buckets: Buckets;
  /** What a series holds where it has no row: one for all, or one for each. */
  value: 0 | null | readonly (0 | null)[];
  grouped: boolean;
  rowsMax: number;
}

/**
 * Gives every group a row in every bucket of the range and every series a value in every row (decisions C5). Throws
 * `query_invalid` when that makes too many rows.
 */
export function fillBuckets(table: ChartTable, options: FillOptions): ChartTable {
  const groups = groupsWithRows(table, options.grouped);
  const buckets = countBuckets(options.buckets);
  if (buckets * groups.length > options.rowsMax) {
    throw new AppError('query_invalid', {
      public: `fill: ${buckets} buckets of ${groups.length} groups are more than ${options.rowsMax} rows; choose a coarser granularity or leave fill out.`,
    });
  }
  const starts = bucketsOf(options.buckets).map(({ startMs }) => startMs);
  const rows = rowsOfCells(table, groups, starts);
  const bucketsMs: number[] = [];
  const groupOf: number[] = [];
  for (const startMs of starts) {
    for (const group of groups) {
      bucketsMs.push(startMs);
      groupOf.push(group);
    }
  }
  const missing = (series: number) => (Array.isArray(options.value) ? (options.value[series] ?? null) : options.value);
  const filled = (cells: readonly Cell[], series: number) => rows.map((row) => valueAt(cells, row, missing(series)));
  return {
    ...table,
    groups: table.groups.length > 0 ? table.groups : [[]],
    bucketsMs,
    groupOf,
    series: table.series.map(filled),
    ...(table.ratio && { ratio: rows.map((row) => (row < 0 ? null : (table.ratio?.[row] ?? null))) }),
  };
}

/** The row of each bucket and group, bucket by bucket; -1 where there is none. Rows come in the order of their buckets. */
function rowsOfCells(
  { bucketsMs, groupOf }: ChartTable,
  groups: readonly number[],
  starts: readonly number[],
): number[] {
  const placeOf: number[] = [];
  groups.forEach((group, place) => {
    placeOf[group] = place;
  });
  const rows = new Array<number>(starts.length * groups.length).fill(-1);
  let bucket = 0;
  bucketsMs.forEach((bucketMs, row) => {
    while ((starts[bucket] ?? Number.POSITIVE_INFINITY) < bucketMs) bucket++;
    if (starts[bucket] !== bucketMs) throw new Error('a row is in no bucket of the range');
    rows[bucket * groups.length + (placeOf[groupOf[row] ?? 0] ?? 0)] = row;
  });
  return rows;
}

function valueAt(cells: readonly Cell[], row: number, missing: 0 | null): number | null {
  const cell = row < 0 ? undefined : cells[row];
  return cell === undefined ? missing : cell;
}
