import { type RawBuilder, sql } from 'kysely';
import type { StoreDialect } from './store-dialect.ts';

/** Types of columns by their names, in the order in which a row has its values. */
export type GivenColumns = Readonly<Record<string, 'bigint' | 'text'>>;
export type GivenRow = readonly (number | string)[];

/**
 * Rows as a table inside a statement. They travel as one value: the statement's text is the same for any number of
 * rows, so that the store prepares it once, and no limit on the number of parameters is met. What is the same in all
 * rows travels once beside them: taking values out of the rows is what costs the store most.
 */
export function givenRows(
  dialect: StoreDialect,
  columns: GivenColumns,
  rows: readonly GivenRow[],
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
