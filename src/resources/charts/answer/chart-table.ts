/** A value of one series in one row; `undefined` where the series has no row (decisions C1). */
export type Cell = number | null | undefined;

/** A chart's answer by columns, sorted by bucket, then group. */
export interface ChartTable {
  /** The distinct groups; rows point to them. */
  groups: readonly (readonly string[])[];
  /** Index of the group that is all groups which are not shown, if requested and there are any. */
  otherGroup?: number;
  /** Bucket start of each row, Unix ms. */
  bucketsMs: readonly number[];
  /** Index into `groups` of each row. */
  groupOf: readonly number[];
  /** `series[i][row]` */
  series: readonly (readonly Cell[])[];
  /** series 0 / series 1 per row, if requested (decisions C8). */
  ratio?: readonly (number | null)[];
  /** `formulas[i][row]`: values computed from the series, if requested. */
  formulas?: readonly (readonly (number | null)[])[];
  /** Smaller groups were left out (decisions C5). */
  truncated: boolean;
  /** In these buckets, where groups were ranked bucket by bucket. */
  truncatedBuckets?: ReadonlySet<number>;
}

/** The value that an alert evaluates in each row: the last formula, the ratio, or the last series. */
export function evaluatedCells({ formulas, ratio, series }: ChartTable): readonly Cell[] {
  return formulas?.at(-1) ?? ratio ?? series.at(-1) ?? [];
}

export interface GroupRows {
  group: readonly string[];
  rows: readonly number[];
}

/**
 * The rows of each group that has any, in the order of the groups' texts. Without groupBy there is the one empty group,
 * also when there is no row at all.
 */
export function rowsByGroup({ groups, groupOf }: ChartTable, grouped: boolean): GroupRows[] {
  if (!grouped && groupOf.length === 0) return [{ group: [], rows: [] }];
  const rowsOf: (number[] | undefined)[] = new Array<undefined>(groups.length).fill(undefined);
  groupOf.forEach((group, row) => {
    const rows = rowsOf[group];
    if (rows) rows.push(row);
    else rowsOf[group] = [row];
  });
  return rowsOf
    .flatMap((rows, index) => (rows ? [{ group: groups[index] ?? [], rows }] : []))
    .sort((a, b) => compareGroups(a.group, b.group));
}

/** Indexes of the same groups, in the same order. */
export function groupsWithRows({ groups, groupOf }: ChartTable, grouped: boolean): number[] {
  if (!grouped) return [0];
  const has = new Array<boolean>(groups.length).fill(false);
  for (const group of groupOf) has[group] = true;
  const present = groups.flatMap((_, index) => (has[index] ? [index] : []));
  return present.sort((a, b) => compareGroups(groups[a] ?? [], groups[b] ?? []));
}

/** Largest first; of the same size, in the order they had. */
export function bySize(of: Iterable<number>, sizes: readonly number[]): number[] {
  return [...of].sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0));
}

/** Gives equal groups the same index. */
export class GroupIndex {
  readonly groups: string[][] = [];
  readonly #known = new Map<string, number>();

  /** The group of this row; `columns` in groupBy order. */
  ofRow(columns: readonly (readonly unknown[])[], row: number): number {
    // A single value is its own key: most charts group by one field, and then nothing is made for a known group.
    const single = columns.length === 1 ? String(columns[0]?.[row] ?? '') : undefined;
    const values = single === undefined ? columns.map((column) => String(column[row] ?? '')) : undefined;
    const key = single ?? JSON.stringify(values);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known.set(key, this.groups.length);
    return this.groups.push(values ?? [key]) - 1;
  }
}

/** Element by element, by code unit. */
export function compareGroups(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const left = a[i] ?? '';
    const right = b[i] ?? '';
    if (left !== right) return left < right ? -1 : 1;
  }
  return a.length - b.length;
}
