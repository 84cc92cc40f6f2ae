interface Reads<V> {
  running: Promise<V>;
  /** Shared by everyone who asked while `running` was under way; starts when that one has ended. */
  next?: Promise<V>;
}

/**
 * Shares reads of the same thing without ever answering from the past: whoever asks gets a read that started after
 * they asked. At most one read per name runs and one waits, however many ask, so a store that is a network away is
 * not asked once per request, and what it says (a revoked key) counts from the moment it was committed.
 */
export class FreshReads<V> {
  #reads = new Map<string, Reads<V>>();

  read(name: string, load: () => Promise<V>): Promise<V> {
    const reads = this.#reads.get(name);
    if (!reads) return this.#start(name, load);
    reads.next ??= reads.running.then(
      () => this.#start(name, load),
      () => this.#start(name, load),
    );
    return reads.next;
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
