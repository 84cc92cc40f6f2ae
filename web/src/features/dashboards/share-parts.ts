type Cell = string | number | null;

/** One slice or bar. */
export interface Share {
  name: string;
  /** null = unknown. */
  value: number | null;
  /** Absent of a slice that sums up several. */
  row?: readonly Cell[];
  /** Of a slice that sums up several groups: how many; NaN if that is not known. */
  groups?: number;
}

/** More slices can't be distinguished. */
const slicesMax = 12;

/** One share per row: its groups are the name, the last column is the value. In the order of the rows. */
export function sharesOf(rows: readonly (readonly Cell[])[]): Share[] {
  return rows.map((row) => {
    const cell = row.at(-1) ?? null;
    const value = cell === null ? null : Number(cell);
    return { name: row.slice(0, -1).map(nameOf).join(', ') || '(all)', value, row };
  });
}

function nameOf(cell: Cell): string {
  return cell === null || cell === '' ? '(empty)' : String(cell);
}

/** The last row of an answer that has one for all groups which were left out. */
export function otherOf(row: readonly Cell[], groups: number): Share {
  const value = row.at(-1) ?? null;
  return { name: 'Other', value: value === null ? null : Number(value), groups };
}

/** The largest shares in the order given, and one last share for the sum of all others; `left` are those left out already. */
export function withOther(shares: readonly Share[], left?: Share): Share[] {
  const own = left ? [left] : [];
  if (shares.length + own.length <= slicesMax) return [...shares, ...own];
  const largest = new Set(shares.toSorted((a, b) => partOf(b) - partOf(a)).slice(0, slicesMax - 1));
  const rest = shares.filter((share) => !largest.has(share));
  const value = [...rest, ...own].reduce((sum, share) => sum + partOf(share), 0);
  const groups = rest.length + (left?.groups ?? 0);
  return [...shares.filter((share) => largest.has(share)), { name: 'Other', value, groups }];
}

/** What a share contributes to the whole: what is below zero or unknown is no part of it. */
export function partOf({ value }: Share): number {
  return Math.max(value ?? 0, 0);
}
