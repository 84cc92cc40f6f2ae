import { sql } from 'kysely';
import type { Executor } from '../metadata-database.ts';
import { dumpedTables } from './dumped-tables.ts';

/** Whether anything is stored; a schema without rows counts as empty. */
export async function hasRows(executor: Executor): Promise<boolean> {
  const present = new Set((await executor.introspection.getTables()).map(({ name }) => name));
  for (const { name } of dumpedTables) {
    if (!present.has(name)) continue;
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(executor);
    if (rows.length > 0) return true;
  }
  return false;
}
