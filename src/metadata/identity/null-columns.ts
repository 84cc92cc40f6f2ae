/** The columns that hold something: in the database a missing value is null, in the program its key is absent. */
export function presentColumns<Columns extends Record<string, string | number | null>>(
  columns: Columns,
): { [Name in keyof Columns]?: NonNullable<Columns[Name]> } {
  const present: { [Name in keyof Columns]?: NonNullable<Columns[Name]> } = {};
  for (const name in columns) {
    const value = columns[name];
    if (value !== null && value !== undefined) present[name] = value;
  }
  return present;
}
