/** Numbers from 0 to 1, the same for the same seed. */
export function randomOf(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const polls: ReadonlySet<string> = new Set(['adopt', 'claimDue', 'held']);

/** When a process dies: at one of its calls to the stores, before or after it had its effect, or with a batch planned and not written. */
export type Moment = { kind: 'call'; number: number; takesEffect: boolean } | { kind: 'planned'; number: number };

/** A third of them lie between the plan of a batch and its commit. */
export function momentOf(random: () => number): Moment {
  if (random() < 1 / 3) return { kind: 'planned', number: 1 + Math.floor(random() * 2) };
  return { kind: 'call', number: 4 + Math.floor(random() * 12), takesEffect: random() < 0.5 };
}

/** A process that dies at its moment: from then on no call returns. */
export class Mortal {
  readonly died: Promise<void>;
  #die: () => void = () => {};
  readonly #moment: Moment;
  /** Of the calls that its moment counts. */
  #counted = 0;
  #isDead = false;

  constructor(moment: Moment) {
    this.#moment = moment;
    this.died = new Promise((resolve) => {
      this.#die = resolve;
    });
  }

  wrap<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (object, name) => {
        const method: unknown = Reflect.get(object, name);
        if (typeof method !== 'function') return method;
        if (polls.has(String(name))) return (...given: unknown[]) => this.#poll(() => method.apply(object, given));
        return (...given: unknown[]) => this.#call(given, () => method.apply(object, given));
      },
    });
  }

  /** What an idle process does as well is no moment to die at, but nothing returns to the dead. */
  async #poll(effect: () => unknown): Promise<unknown> {
    return this.#isDead ? new Promise(() => {}) : effect();
  }

  async #call(given: readonly unknown[], effect: () => unknown): Promise<unknown> {
    if (this.#isDead) return new Promise(() => {});
    const { kind, number } = this.#moment;
    if (kind === 'planned' && !isPlan(given)) return effect();
    this.#counted++;
    if (this.#counted < number) return effect();
    this.#isDead = true;
    const takesEffect = this.#moment.kind === 'planned' || this.#moment.takesEffect;
    if (takesEffect) await Promise.resolve(effect()).catch(() => {});
    this.#die();
    return new Promise(() => {});
  }
}

/** A write to the ledger that makes a batch durable, and writes nothing of it. */
function isPlan([entry]: readonly unknown[]): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  return 'entries' in entry && Array.isArray(entry.entries) && entry.entries.length > 0 && !('progress' in entry);
}
