import { type Kysely, sql } from 'kysely';
import type { MetadataTables } from '../tables.ts';

type Work = (transaction: Kysely<MetadataTables>) => Promise<unknown>;

interface Member {
  work: Work;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Longer groups would keep their first member waiting for too long. */
const membersMax = 64;

/**
 * Commits transactions that wait at the same time together: the disk is synced once for all of them, and each is
 * acknowledged after that. Every member has a separate savepoint, so that a failed one rolls back only itself.
 */
export class GroupCommit {
  readonly #writes: Kysely<MetadataTables>;
  readonly #waiting: Member[] = [];
  #running = false;

  constructor(writes: Kysely<MetadataTables>) {
    this.#writes = writes;
  }

  transact<T>(work: (transaction: Kysely<MetadataTables>) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // Each member is resolved with what its own work returned.
      this.#waiting.push({ work, resolve: resolve as Member['resolve'], reject });
      if (this.#running) return;
      this.#running = true;
      // Requests that arrived together get here within one turn of the event loop.
      setImmediate(() => void this.#drain());
    });
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const members = this.#waiting.splice(0, membersMax);
      await this.#commit(members);
    }
    this.#running = false;
  }

  async #commit(members: readonly Member[]): Promise<void> {
    const settle: (() => void)[] = [];
    try {
      await this.#writes.transaction().execute(async (transaction) => {
        for (const member of members) settle.push(await attempt(transaction, member));
      });
    } catch (error) {
      for (const member of members) member.reject(error);
      return;
    }
    for (const settleOne of settle) settleOne();
  }
}

/** Runs one member; returns how to settle it once the group is committed. */
async function attempt(transaction: Kysely<MetadataTables>, { work, resolve, reject }: Member): Promise<() => void> {
  await sql`savepoint member`.execute(transaction);
  try {
    const value = await work(transaction);
    await sql`release savepoint member`.execute(transaction);
    return () => resolve(value);
  } catch (error) {
    await takeBack(transaction, error);
    return () => reject(error);
  }
}

/** Some failures (a full disk) have ended the whole transaction: then the reason of all its members is this one. */
async function takeBack(transaction: Kysely<MetadataTables>, reason: unknown): Promise<void> {
  try {
    await sql`rollback to savepoint member`.execute(transaction);
    await sql`release savepoint member`.execute(transaction);
  } catch {
    throw reason;
  }
}
