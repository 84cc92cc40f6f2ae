export interface ByteBudgetLimits {
  totalBytesMax: number;
  /** Of one key, or of one address where no key is known. */
  perHolderBytesMax: number;
}

const megabyte = 1024 * 1024;
/** Of one process, unless something else is said. */
export const requestBytesMax: ByteBudgetLimits = {
  totalBytesMax: 256 * megabyte,
  perHolderBytesMax: 96 * megabyte,
};

/** `holder`: this one holds too much already; `total`: all together do. */
export type BudgetDecision = 'granted' | 'holder' | 'total';

/** What one request holds; ends with `release`, which may be called more than once. */
export interface HeldBytes {
  /** Takes that many bytes more, all of them or none. */
  grow(bytes: number): BudgetDecision;
  release(): void;
}

/**
 * Bytes of requests that are not answered yet, over every port of the program: many slow or large uploads together
 * never hold more memory than this, and one key or address not more than its part.
 */
export class ByteBudget {
  readonly #limits: ByteBudgetLimits;
  readonly #held = new Map<string, number>();
  #total = 0;

  constructor(limits: ByteBudgetLimits) {
    this.#limits = limits;
  }

  /** Bytes that are held now. */
  get total(): number {
    return this.#total;
  }

  hold(holder: string): HeldBytes {
    let own = 0;
    return {
      grow: (bytes) => {
        const decision = this.#decide(holder, bytes);
        if (decision !== 'granted') return decision;
        own += bytes;
        this.#add(holder, bytes);
        return decision;
      },
      release: () => {
        this.#add(holder, -own);
        own = 0;
      },
    };
  }

  #decide(holder: string, bytes: number): BudgetDecision {
    if ((this.#held.get(holder) ?? 0) + bytes > this.#limits.perHolderBytesMax) return 'holder';
    return this.#total + bytes > this.#limits.totalBytesMax ? 'total' : 'granted';
  }

  #add(holder: string, bytes: number): void {
    if (bytes === 0) return;
    const held = (this.#held.get(holder) ?? 0) + bytes;
    if (held === 0) this.#held.delete(holder);
    else this.#held.set(holder, held);
    this.#total += bytes;
  }
}
