import { StoreUnavailableError } from '../kernel/store-unavailable-error.ts';

interface Reads<V> {
  running: Promise<V>;
  /** Shared by everyone who asked while `running` was under way; starts when that one has ended. */
  next?: Promise<V>;
}

/**
 * Shares reads of the same thing without ever returning stale data: a caller gets a read that started after its
 * call. At most one read per name runs and one waits, however many callers there are, so a store that is a network away is
 * not asked once per request, and what it says (a revoked key) counts from the moment it was committed.
 */
export class FreshReads<V> {
  #reads = new Map<string, Reads<V>>();

  read(name: string, load: () => Promise<V>): Promise<V> {
    const reads = this.#reads.get(name);
    if (!reads) return this.#start(name, load);
    reads.next ??= reads.running.then(
      () => this.#start(name, load),
      (error: unknown) => this.#startAfter(error, name, load),
    );
    return reads.next;
  }

  /** A store that was silent until now, so long after they asked, need not be waited for a second time. */
  #startAfter(error: unknown, name: string, load: () => Promise<V>): Promise<V> {
    if (!(error instanceof StoreUnavailableError && error.failure === 'silent')) return this.#start(name, load);
    this.#reads.delete(name);
    return Promise.reject(error);
  }

  #start(name: string, load: () => Promise<V>): Promise<V> {
    const reads: Reads<V> = { running: load() };
    this.#reads.set(name, reads);
    const forget = (): void => {
      if (!reads.next) this.#reads.delete(name);
    };
    reads.running.then(forget, forget);
    return reads.running;
  }
}
