import { type Kysely, sql } from 'kysely';
import type { ChangeStamp } from './stamped-cache.ts';
import type { StoreDialect } from './store-dialect.ts';
import type { MetadataTables } from './tables.ts';
import type { TransactionWatch } from './transaction-watch.ts';

export type Executor = Kysely<MetadataTables>;

/** What a repository works with; the same repository serves outside and inside a transaction. */
export interface MetadataDatabase {
  readonly dialect: StoreDialect;
  /** For reads. Outside a transaction they see what is committed and never wait. */
  readonly reads: Executor;
  /** For single statements that write. */
  readonly writes: Executor;
  /** Where the store has one: lets reads be remembered until something changes. */
  readonly stamp?: ChangeStamp;
  /** Commits when `work` resolves, rolls back when it throws. Inside a transaction `work` simply joins it. */
  transaction<T>(work: (inside: MetadataDatabase) => Promise<T>): Promise<T>;
  /**
   * Returns `taken` if the write violates a unique index: nothing is written and a surrounding transaction continues.
   */
  unlessTaken<T>(write: (executor: Executor) => Promise<T>): Promise<T | 'taken'>;
}

/** An opened store: two connections (or pools), so that reads never queue behind a transaction. */
export interface OpenStore {
  readonly dialect: StoreDialect;
  readonly reads: Executor;
  readonly writes: Executor;
  readonly stamp?: ChangeStamp;
  /** One transaction; commits when `work` resolves, rolls back when it throws. */
  transact<T>(work: (transaction: Executor) => Promise<T>): Promise<T>;
  /** What is committed at this moment, however long `work` reads; others may write meanwhile. */
  snapshot<T>(work: (reads: Executor) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The database outside any transaction. */
export class CommittingDatabase implements MetadataDatabase {
  readonly dialect: StoreDialect;
  readonly reads: Executor;
  readonly stamp?: ChangeStamp;
  readonly #store: OpenStore;
  readonly #watch: TransactionWatch | undefined;

  constructor(store: OpenStore, watch?: TransactionWatch) {
    this.dialect = store.dialect;
    this.reads = store.reads;
    if (store.stamp) this.stamp = store.stamp;
    this.#store = store;
    this.#watch = watch;
  }

  /**
   * Inside a transaction's work this would wait for that very transaction forever: with a watch it throws instead.
   */
  get writes(): Executor {
    this.#watch?.rejectInside();
    return this.#store.writes;
  }

  async transaction<T>(work: (inside: MetadataDatabase) => Promise<T>): Promise<T> {
    this.#watch?.rejectInside();
    const execute = (transaction: Executor) => work(new TransactionDatabase(this.dialect, transaction));
    const watch = this.#watch;
    return this.#store.transact(watch ? (transaction) => watch.during(() => execute(transaction)) : execute);
  }

  async unlessTaken<T>(write: (executor: Executor) => Promise<T>): Promise<T | 'taken'> {
    try {
      return await write(this.writes);
    } catch (error) {
      if (this.dialect.isUniqueViolation(error)) return 'taken';
      throw error;
    }
  }
}

/** The database as seen from inside one transaction. */
class TransactionDatabase implements MetadataDatabase {
  readonly dialect: StoreDialect;
  readonly reads: Executor;
  readonly writes: Executor;

  constructor(dialect: StoreDialect, transaction: Executor) {
    this.dialect = dialect;
    this.reads = transaction;
    this.writes = transaction;
  }

  transaction<T>(work: (inside: MetadataDatabase) => Promise<T>): Promise<T> {
    return work(this);
  }

  /** PostgreSQL aborts a whole transaction at the first failed statement unless a savepoint precedes it. */
  async unlessTaken<T>(write: (executor: Executor) => Promise<T>): Promise<T | 'taken'> {
    await sql`savepoint unless_taken`.execute(this.writes);
    try {
      const result = await write(this.writes);
      await sql`release savepoint unless_taken`.execute(this.writes);
      return result;
    } catch (error) {
      if (!this.dialect.isUniqueViolation(error)) throw error;
      await sql`rollback to savepoint unless_taken`.execute(this.writes);
      await sql`release savepoint unless_taken`.execute(this.writes);
      return 'taken';
    }
  }
}
