import { AppError } from '../../../contract/errors.ts';
import { type Buckets, bucketsOf, countBuckets } from '../request/buckets.ts';
import { type Cell, type ChartTable, compareGroups } from './chart-table.ts';

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
  const groups = groupsToFill(table, options.grouped);
  const buckets = countBuckets(options.buckets);
  if (buckets * groups.length > options.rowsMax) {
    throw new AppError('query_invalid', {
      public: `fill: ${buckets} buckets of ${groups.length} groups are more than ${options.rowsMax} rows; choose a coarser granularity or leave fill out.`,
    });
  }
  const starts = bucketsOf(options.buckets).map(({ startMs }) => startMs);
  const bucketAt = new Map(starts.map((startMs, index) => [startMs, index]));
  const place = new Map(groups.map((group, index) => [group, index]));
  const rows = new Array<number | undefined>(buckets * groups.length).fill(undefined);
  table.bucketsMs.forEach((bucketMs, row) => {
    const bucket = bucketAt.get(bucketMs);
    if (bucket === undefined) throw new Error('a row is in no bucket of the range');
    rows[bucket * groups.length + (place.get(table.groupOf[row] ?? 0) ?? 0)] = row;
  });
  const bucketsMs = rows.map((_, cell) => starts[Math.floor(cell / groups.length)] ?? 0);
  const groupOf = rows.map((_, cell) => groups[cell % groups.length] ?? 0);
  const missing = (series: number) => (Array.isArray(options.value) ? (options.value[series] ?? null) : options.value);
  const filled = (cells: readonly Cell[], series: number) => rows.map((row) => valueAt(cells, row, missing(series)));
  return {
    ...table,
    groups: table.groups.length > 0 ? table.groups : [[]],
    bucketsMs,
    groupOf,
    series: table.series.map(filled),
    ...(table.ratio && { ratio: rows.map((row) => (row === undefined ? null : (table.ratio?.[row] ?? null))) }),
  };
}

function valueAt(cells: readonly Cell[], row: number | undefined, missing: 0 | null): number | null {
  const cell = row === undefined ? undefined : cells[row];
  return cell === undefined ? missing : cell;
}

/** The groups that have a row, in their order; without groupBy the one empty group, also when there is no row at all. */
function groupsToFill(table: ChartTable, grouped: boolean): number[] {
  if (!grouped) return [0];
  const present = [...new Set(table.groupOf)];
  return present.sort((a, b) => compareGroups(table.groups[a] ?? [], table.groups[b] ?? []));
}
