import type { Clock } from '../kernel/clock.ts';

/** Remembers keys for at least `keepMs` and at most twice as long, fewer if there are too many. */
export class RecentKeys {
  readonly #clock: Clock;
  readonly #keepMs: number;
  readonly #keysMax: number;
  #startedMs: number;
  /** Two generations: the older one is forgotten as a whole. */
  #younger = new Set<string>();
  #older = new Set<string>();

  constructor(clock: Clock, keepMs: number, keysMax: number) {
    this.#clock = clock;
    this.#keepMs = keepMs;
    this.#keysMax = keysMax;
    this.#startedMs = clock.nowMs();
  }

  add(key: string): void {
    this.#age();
    this.#younger.add(key);
    if (this.#younger.size >= this.#keysMax / 2) this.#turn();
  }

  has(key: string): boolean {
    this.#age();
    return this.#younger.has(key) || this.#older.has(key);
  }

  #age(): void {
    const ageMs = this.#clock.nowMs() - this.#startedMs;
    if (ageMs < this.#keepMs) return;
    this.#turn();
    if (ageMs >= 2 * this.#keepMs) this.#older.clear();
  }

  #turn(): void {
    this.#older = this.#younger;
    this.#younger = new Set();
    this.#startedMs = this.#clock.nowMs();
  }
}
