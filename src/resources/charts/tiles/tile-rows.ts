/** A row of a table tile: a group and its values. */
export interface TileRow {
  group: readonly string[];
  values: readonly (number | null)[];
}

/** The names by which a condition or an order speaks of a row's cells. */
export interface RowNames {
  groups: readonly string[];
  values: readonly string[];
}

type CellOf = (row: TileRow) => string | number | null;

/** The cell that a name or an aggregate's text such as `count()` means; blanks and case make no difference. */
export function findCell(text: string, { groups, values }: RowNames): CellOf | undefined {
  const wanted = normal(text);
  const value = values.findIndex((name) => normal(name) === wanted);
  if (value >= 0) return (row) => row.values[value] ?? null;
  const group = groups.findIndex((name) => normal(name) === wanted);
  return group >= 0 ? (row) => row.group[group] ?? '' : undefined;
}

function normal(text: string): string {
  return text
    .trim()
    .replace(/^(["`])(.*)\1$/, '$2')
    .replaceAll(/\s+/g, '')
    .toLowerCase();
}
