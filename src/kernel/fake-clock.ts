import type { Clock } from './clock.ts';

interface Timer {
  dueMs: number;
  wake: () => void;
}

/** A clock that stops until a test advances it. */
export class FakeClock implements Clock {
  #nowMs: number;
  #timers = new Set<Timer>();

  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, wake: () => void): () => void {
    const timer = { dueMs: this.#nowMs + delayMs, wake };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Moves time forward, waking timers in order of their due time and letting promises settle between them. */
  async advance(byMs: number): Promise<void> {
    const endMs = this.#nowMs + byMs;
    for (;;) {
      const next = this.#nextDue(endMs);
      if (!next) break;
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.wake();
      await settle();
    }
    this.#nowMs = endMs;
    await settle();
  }

  #nextDue(endMs: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueMs <= endMs && (!next || timer.dueMs < next.dueMs)) next = timer;
    }
    return next;
  }
}

/** Lets promise reactions that are already queued run; no time passes. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
