import { type RawBuilder, sql } from 'kysely';
import type { StoreDialect } from './store-dialect.ts';

/** Types of columns by their names, in the order in which a row has its values. */
export type GivenColumns = Readonly<Record<string, 'bigint' | 'text'>>;
export type GivenRow = readonly (number | string)[];

/**
 * Rows as a table inside a statement. They travel as one value: the statement's text is the same for any number of
 * rows, so that the store prepares it once, and no limit on the number of parameters is met.
 */
export function givenRows(
  dialect: StoreDialect,
  columns: GivenColumns,
  rows: readonly GivenRow[],
): RawBuilder<unknown> {
  const picked = Object.entries(columns).map(
    ([name, type], at) => sql`cast(value ->> ${sql.lit(at)} as ${sql.raw(type)}) as ${sql.ref(name)}`,
  );
  return sql`(select ${sql.join(picked)} from ${dialect.elementsOf(JSON.stringify(rows))})`;
}
