/** Detects cheaply whether anything in the store may have changed: equal stamps, equal content. */
export type ChangeStamp = () => number;

/**
 * Remembers what was read for as long as nothing in the store has changed, by this process or another: never an answer
 * from the past. Without a stamp (PostgreSQL, inside transactions) every read goes to the store.
 */
export class StampedCache<V> {
  readonly #stamp: ChangeStamp | undefined;
  readonly #entriesMax: number;
  readonly #entries = new Map<string, V>();
  #validFor: number | undefined;

  constructor(stamp: ChangeStamp | undefined, entriesMax: number) {
    this.#stamp = stamp;
    this.#entriesMax = entriesMax;
  }

  /** What is missing is not remembered. */
  async read(name: string, load: () => Promise<V | undefined>): Promise<V | undefined> {
    if (!this.#stamp) return load();
    // Taken before the read: should a commit come in between, the newer value is dropped at the next look.
    const stamp = this.#stamp();
    if (stamp !== this.#validFor) this.#entries.clear();
    this.#validFor = stamp;
    const known = this.#entries.get(name);
    if (known !== undefined) return known;
    const value = await load();
    if (value !== undefined && this.#validFor === stamp) this.#keep(name, value);
    return value;
  }

  #keep(name: string, value: V): void {
    this.#entries.set(name, value);
    if (this.#entries.size <= this.#entriesMax) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
