import type { Executor, MetadataDatabase } from '../metadata-database.ts';
import { MetadataError } from '../metadata-error.ts';
import type { Migration } from './migration.ts';

/**
 * Applies what is missing, all or nothing, and answers the names of what it applied. Processes that start together
 * take turns.
 *
 * @throws MetadataError `newer_schema` when a newer program has been here: this one could misread its data
 */
export function migrate(
  database: MetadataDatabase,
  migrations: readonly Migration[],
  nowMs: number,
): Promise<readonly string[]> {
  return database.transaction(async ({ writes, dialect }) => {
    await dialect.lock(writes, 'migrations');
    const applied = await appliedNames(writes);
    rejectUnknown(applied, migrations);
    const missing = migrations.filter((migration) => !applied.has(migration.name));
    for (const migration of missing) {
      await migration.up(writes, dialect);
      await writes.insertInto('migrations').values({ name: migration.name, applied_at: nowMs }).execute();
    }
    return missing.map((migration) => migration.name);
  });
}

async function appliedNames(writes: Executor): Promise<Set<string>> {
  await writes.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .execute();
  const rows = await writes.selectFrom('migrations').select('name').execute();
  return new Set(rows.map((row) => row.name));
}

function rejectUnknown(applied: ReadonlySet<string>, migrations: readonly Migration[]): void {
  const known = new Set(migrations.map((migration) => migration.name));
  const unknown = [...applied].filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new MetadataError(
    'newer_schema',
    `the metadata store was changed by a newer version of this program (${unknown.join(', ')}); start that version`,
  );
}
