import type { Clock } from '../kernel/clock.ts';

export interface RateLimit {
  /** Requests per window. */
  requests: number;
  windowMs: number;
}

export interface RateDecision {
  allowed: boolean;
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number;
}

interface Window {
  endsMs: number;
  count: number;
}

/** Counts requests per key in fixed windows that begin with a key's first request. Memory is bounded. */
export class RateLimiter {
  readonly limit: RateLimit;
  readonly #clock: Clock;
  readonly #keysMax: number;
  readonly #windows = new Map<string, Window>();

  constructor(limit: RateLimit, clock: Clock, keysMax = 50_000) {
    this.limit = limit;
    this.#clock = clock;
    this.#keysMax = keysMax;
  }

  /** Counts one request of `key` and reports whether it may pass. */
  take(key: string): RateDecision {
    const nowMs = this.#clock.nowMs();
    const window = this.#currentWindow(key, nowMs);
    window.count += 1;
    return {
      allowed: window.count <= this.limit.requests,
      remaining: Math.max(0, this.limit.requests - window.count),
      resetSeconds: Math.max(1, Math.ceil((window.endsMs - nowMs) / 1000)),
    };
  }

  /** Restarts a key's window. */
  forget(key: string): void {
    this.#windows.delete(key);
  }

  #currentWindow(key: string, nowMs: number): Window {
    const known = this.#windows.get(key);
    if (known && known.endsMs > nowMs) return known;
    // Deleted first, so that the map stays in order of begin and the eldest window is the first one.
    this.#windows.delete(key);
    this.#makeRoom();
    const window = { endsMs: nowMs + this.limit.windowMs, count: 0 };
    this.#windows.set(key, window);
    return window;
  }

  #makeRoom(): void {
    if (this.#windows.size < this.#keysMax) return;
    const eldest = this.#windows.keys().next();
    if (!eldest.done) this.#windows.delete(eldest.value);
  }
}
