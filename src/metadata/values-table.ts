import { type RawBuilder, sql } from 'kysely';
import type { StoreDialect } from './store-dialect.ts';

/** Column types by name, in the order of the values in a row. */
export type ValuesColumns = Readonly<Record<string, 'bigint' | 'text'>>;
export type ValuesRow = readonly (number | string)[];

/**
 * Rows as a table inside a statement, like a `VALUES` list. They travel as one parameter: the statement's text is the
 * same for any number of rows, so the store prepares it once and no limit on the number of parameters applies. A value
 * that all rows share travels once beside them: extracting values from the rows is the most expensive part.
 */
export function valuesTable(
  dialect: StoreDialect,
  columns: ValuesColumns,
  rows: readonly ValuesRow[],
): RawBuilder<unknown> {
  const [first = []] = rows;
  const places = Object.keys(columns).map((_, at) => at);
  const differing = places.filter((at) => rows.some((row) => row[at] !== first[at]));
  const picked = Object.entries(columns).map(([name, type], at) => {
    const place = differing.indexOf(at);
    const value = place < 0 ? sql`${first[at] ?? null}` : sql`value ->> ${sql.lit(place)}`;
    return sql`cast(${value} as ${sql.raw(type)}) as ${sql.ref(name)}`;
  });
  const different = rows.map((row) => differing.map((at) => row[at]));
  return sql`(select ${sql.join(picked)} from ${dialect.elementsOf(JSON.stringify(different))})`;
}
