import type { Clock } from '../kernel/clock.ts';

/** Time that reads may take which began together. */
export interface ReadBudget {
  /** Aborts when the time is over or the caller cancels. */
  signal: AbortSignal;
  /** Resolves when the time is over. */
  over: Promise<void>;
  /** To be called once by each that began. */
  end(): void;
}

interface Running {
  budget: ReadBudget;
  users: number;
}

/** Gives reads that begin in one turn of the event loop one timer and one signal: thousands of alerts are due together. */
export class ReadBudgets {
  readonly #clock: Clock;
  readonly #budgetMs: number;
  /** By the signal of the caller. */
  readonly #begun = new Map<AbortSignal, Running>();

  constructor(clock: Clock, budgetMs: number) {
    this.#clock = clock;
    this.#budgetMs = budgetMs;
  }

  begin(caller: AbortSignal): ReadBudget {
    if (this.#begun.size === 0) setImmediate(() => this.#begun.clear());
    const running = this.#begun.get(caller) ?? this.#start(caller);
    running.users += 1;
    return running.budget;
  }

  #start(caller: AbortSignal): Running {
    const timeout = new AbortController();
    const over = new Promise<void>((resolve) => {
      timeout.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const cancelTimer = this.#clock.after(this.#budgetMs, () => timeout.abort());
    const end = (): void => {
      running.users -= 1;
      if (running.users > 0) return;
      cancelTimer();
      // A read that begins now must not get a budget without a timer.
      if (this.#begun.get(caller) === running) this.#begun.delete(caller);
    };
    const signal = AbortSignal.any([caller, timeout.signal]);
    const running: Running = { budget: { signal, over, end }, users: 0 };
    this.#begun.set(caller, running);
    return running;
  }
}
