import { sql } from 'kysely';
import type { OpenStore } from './metadata-database.ts';
import { readSchemaStatus, type SchemaStatus } from './migrations/schema-status.ts';

export interface StoreInspection {
  schema: SchemaStatus;
  /** No migration has been applied. */
  isEmpty: boolean;
  /** When the last migration was applied; absent in a new store. */
  lastMigrationMs?: number;
  /** What the clock of the server shows; absent for the embedded store, which has none. */
  serverNowMs?: number;
}

/** Looks without changing anything, not even a schema that is behind. Throws `StoreUnavailableError`. */
export async function inspectStore({ reads, dialect }: OpenStore): Promise<StoreInspection> {
  const schema = await readSchemaStatus(reads);
  const isEmpty = schema.applied === 0;
  const last = isEmpty
    ? []
    : await reads
        .selectFrom('migrations')
        .select(({ fn }) => fn.max('applied_at').as('ms'))
        .execute();
  const lastMigrationMs = last[0]?.ms;
  return {
    schema,
    isEmpty,
    ...(typeof lastMigrationMs === 'number' && { lastMigrationMs }),
    ...(dialect.name === 'postgres' && { serverNowMs: await readClock(reads) }),
  };
}

async function readClock(reads: OpenStore['reads']): Promise<number> {
  const clock = sql<{ ms: string }>`select extract(epoch from clock_timestamp()) * 1000 as ms`;
  return Number((await clock.execute(reads)).rows[0]?.ms);
}
