import type { Executor } from '../metadata-database.ts';
import { migrationList } from './migration-list.ts';

/** How the schema of a store compares with what this program expects; names of migrations. */
export interface SchemaStatus {
  /** How many have been applied. */
  applied: number;
  /** Applied when the program starts. */
  pending: readonly string[];
  /** Of a newer program. */
  unknown: readonly string[];
}

export async function readSchemaStatus(reads: Executor): Promise<SchemaStatus> {
  const isMade = (await reads.introspection.getTables()).some(({ name }) => name === 'migrations');
  const rows = isMade ? await reads.selectFrom('migrations').select('name').execute() : [];
  const applied = new Set(rows.map(({ name }) => name));
  const known = migrationList.map(({ name }) => name);
  return {
    applied: applied.size,
    pending: known.filter((name) => !applied.has(name)),
    unknown: [...applied].filter((name) => !known.includes(name)),
  };
}
