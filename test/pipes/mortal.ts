/** Numbers from 0 to 1, the same for the same seed. */
export function randomOf(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const polls: ReadonlySet<string> = new Set(['adopt', 'claimDue', 'held']);

/**
 * A process that dies at one of its calls to the stores, before or after it had its effect: from then on no call returns.
 */
export class Mortal {
  readonly died: Promise<void>;
  #die: () => void = () => {};
  #callsLeft: number;
  readonly #takesEffect: boolean;

  constructor(calls: number, takesEffect: boolean) {
    this.#callsLeft = calls;
    this.#takesEffect = takesEffect;
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
        return (...given: unknown[]) => this.#call(() => method.apply(object, given));
      },
    });
  }

  /** What an idle process does as well is no moment to die at, but nothing returns to the dead. */
  async #poll(effect: () => unknown): Promise<unknown> {
    return this.#callsLeft > 0 ? effect() : new Promise(() => {});
  }

  async #call(effect: () => unknown): Promise<unknown> {
    this.#callsLeft--;
    if (this.#callsLeft > 0) return effect();
    if (this.#callsLeft === 0 && this.#takesEffect) await Promise.resolve(effect()).catch(() => {});
    this.#die();
    return new Promise(() => {});
  }
}
