import { sql } from 'kysely';
import type { Executor, OpenStore } from '../metadata-database.ts';
import { type DumpedTable, dumpedTables } from './dumped-tables.ts';
import type { MetadataRow } from './metadata-row.ts';

/**
 * Hands over every row of the store as it was at one moment, while others read and write; answers the names of the
 * migrations that made its tables. A store of an older program has fewer tables.
 */
export function dumpMetadata(
  store: OpenStore,
  take: (row: MetadataRow) => Promise<void>,
): Promise<{ migrations: readonly string[] }> {
  return store.snapshot(async (reads) => {
    const migrations = await reads.selectFrom('migrations').select('name').orderBy('name').execute();
    const present = new Set((await reads.introspection.getTables()).map(({ name }) => name));
    for (const table of dumpedTables) if (present.has(table.name)) await dumpTable(reads, table, take);
    return { migrations: migrations.map(({ name }) => name) };
  });
}

async function dumpTable(
  reads: Executor,
  table: DumpedTable,
  take: (row: MetadataRow) => Promise<void>,
): Promise<void> {
  for (let last: MetadataRow['row'] | undefined; ; ) {
    const rows: readonly MetadataRow['row'][] = await readPage(reads, table, last);
    for (const row of rows) await take({ table: table.name, row });
    if (rows.length < table.pageRows) return;
    last = rows.at(-1);
  }
}

async function readPage(
  reads: Executor,
  { name, key, pageRows }: DumpedTable,
  after: MetadataRow['row'] | undefined,
): Promise<readonly MetadataRow['row'][]> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const values = after && sql.join(key.map((column) => sql`${after[column]}`));
  const beyond = values ? sql`where (${columns}) > (${values})` : sql``;
  const statement = sql<MetadataRow['row']>`
    select * from ${sql.table(name)} ${beyond} order by ${columns} limit ${sql.lit(pageRows)}`;
  return (await statement.execute(reads)).rows;
}
