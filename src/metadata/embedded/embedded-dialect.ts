import { sql } from 'kysely';
import type { StoreDialect } from '../store-dialect.ts';

/** The embedded store has one writer at a time: its transactions exclude each other from their first statement on. */
export const embeddedDialect: StoreDialect = {
  name: 'embedded',
  integerType: 'integer',
  isUniqueViolation: (error) =>
    error instanceof Error &&
    'code' in error &&
    (error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY'),
  // An update to the same values would write no page.
  probeWrite: sql`pragma user_version = 0`,
  counting: (column) => column.primaryKey().autoIncrement(),
  continueCounting: async () => {},
  passingOverLocked: (select) => select,
  locked: (select) => select,
  elementsOf: (json) => sql`json_each(${json})`,
  lock: async () => {},
};
