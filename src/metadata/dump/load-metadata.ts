import { sql } from 'kysely';
import type { Executor, MetadataDatabase } from '../metadata-database.ts';
import { MetadataError } from '../metadata-error.ts';
import { migrate } from '../migrations/migrate.ts';
import { migrationList } from '../migrations/migration-list.ts';
import { dumpedTables } from './dumped-tables.ts';
import type { MetadataRow } from './metadata-row.ts';
import { hasRows } from './stored-rows.ts';

export interface MetadataDump {
  /** Names of the migrations that made the tables it comes from. */
  migrations: readonly string[];
  rows: AsyncIterable<MetadataRow>;
}

const batchRowsMax = 100;
const batchCharactersMax = 1_000_000;

/**
 * Fills an empty store, of either kind, in one transaction: first the schema that the rows come from, then the rows,
 * then the migrations since.
 *
 * @throws {MetadataError} `newer_schema` if a newer program made the dump, `misuse` if the store is not empty
 */
export async function loadMetadata(database: MetadataDatabase, dump: MetadataDump, nowMs: number): Promise<void> {
  const wanted = new Set(dump.migrations);
  rejectNewer(wanted);
  await database.transaction(async (inside) => {
    const older = migrationList.filter(({ name }) => wanted.has(name));
    await migrate(inside, older, nowMs).catch(rejectMigrated);
    if (await hasRows(inside.writes)) throw new MetadataError('misuse', 'the metadata store is not empty');
    const tables = await loadRows(inside.writes, dump.rows);
    for (const table of tables) await inside.dialect.continueCounting(inside.writes, table);
    await migrate(inside, migrationList, nowMs);
  });
}

function rejectNewer(wanted: ReadonlySet<string>): void {
  const known = new Set(migrationList.map(({ name }) => name));
  const unknown = [...wanted].filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new MetadataError('newer_schema', `a newer version of this program made it (${unknown.join(', ')})`);
}

/** An empty store with a later schema: the rows may not fit into it. */
function rejectMigrated(error: unknown): never {
  if (!(error instanceof MetadataError) || error.code !== 'newer_schema') throw error;
  throw new MetadataError('misuse', 'the metadata store has the tables of a newer version than the backup');
}

/** Answers the tables whose rows are numbered. */
async function loadRows(writes: Executor, rows: AsyncIterable<MetadataRow>): Promise<readonly string[]> {
  const keys = new Map(dumpedTables.map(({ name, key }) => [name, key]));
  const counting = new Set<string>();
  let batch: MetadataRow[] = [];
  let characters = 0;
  const flush = async () => {
    if (batch.length > 0) await insert(writes, batch);
    batch = [];
    characters = 0;
  };
  for await (const row of rows) {
    const key = keys.get(row.table);
    if (!key) throw new MetadataError('misuse', `there is no table ${JSON.stringify(row.table)}`);
    if (key[0] === 'sequence') counting.add(row.table);
    if (batch[0] && (batch[0].table !== row.table || batch.length >= batchRowsMax)) await flush();
    batch.push(row);
    characters += charactersOf(row);
    if (characters >= batchCharactersMax) await flush();
  }
  await flush();
  return [...counting];
}

function charactersOf({ row }: MetadataRow): number {
  return Object.values(row).reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 8), 0);
}

/** Rows of one table, which have the same columns. */
async function insert(writes: Executor, batch: readonly MetadataRow[]): Promise<void> {
  const [first] = batch;
  if (!first) return;
  const names = Object.keys(first.row);
  const columns = sql.join(names.map((name) => sql.ref(name)));
  const lines = batch.map(({ row }) => sql`(${sql.join(names.map((name) => sql`${row[name] ?? null}`))})`);
  await sql`insert into ${sql.table(first.table)} (${columns}) values ${sql.join(lines)}`.execute(writes);
}
