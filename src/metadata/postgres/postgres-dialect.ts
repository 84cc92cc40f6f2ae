import { sql } from 'kysely';
import type { StoreDialect } from '../store-dialect.ts';
import { advisoryLock } from './bounded-pool.ts';

const uniqueViolation = '23505';

export const postgresDialect: StoreDialect = {
  name: 'postgres',
  integerType: 'bigint',
  isUniqueViolation: (error) => error instanceof Error && 'code' in error && error.code === uniqueViolation,
  probeWrite: sql`update migrations set applied_at = applied_at where name = (select min(name) from migrations)`,
  counting: (column) => column.generatedByDefaultAsIdentity().primaryKey(),
  continueCounting: async (transaction, table) => {
    const largest = sql`select max(sequence) from ${sql.table(table)}`;
    await sql`select setval(pg_get_serial_sequence(${table}, 'sequence'), (${largest}))`.execute(transaction);
  },
  passingOverLocked: (select) => select.forUpdate().skipLocked(),
  locked: (select) => select.forUpdate(),
  elementsOf: (json) => sql`jsonb_array_elements(cast(${json} as jsonb))`,
  lock: async (transaction, name) => {
    await sql`${sql.raw(advisoryLock)}(hashtextextended(${`signalbox ${name}`}, 0))`.execute(transaction);
  },
};
