import type { Executor } from '../metadata-database.ts';
import type { StoreDialect } from '../store-dialect.ts';

/** One step of the schema, the same for both stores. A released step is never changed: add another one. */
export interface Migration {
  /** Sorts by its number; stored in table `migrations` once applied. */
  name: string;
  up(schema: Executor, dialect: StoreDialect): Promise<void>;
}
