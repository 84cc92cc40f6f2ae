import type { Readiness, ReadinessReport } from '../http/service-routes.ts';
import { type Clock, delay } from '../kernel/clock.ts';

/** A client that read readiness within this time is expected to read it again. */
const watchedWithinMs = 15_000;
const waitMaxMs = 1_000;

/**
 * Readiness that ends before the program does: a load balancer that watches `/ready` reads 503 while connections are
 * still taken, and sends the next ones elsewhere.
 */
export class AnnouncedStop implements Readiness {
  readonly #readiness: Readiness;
  readonly #clock: Clock;
  #askedAtMs: number | undefined;
  #isStopping = false;
  #seen = () => {};

  constructor(readiness: Readiness, clock: Clock) {
    this.#readiness = readiness;
    this.#clock = clock;
  }

  async report(): Promise<ReadinessReport> {
    this.#askedAtMs = this.#clock.nowMs();
    if (!this.#isStopping) return this.#readiness.report();
    this.#seen();
    return { parts: { program: 'unavailable' }, reasons: { program: 'It is stopping.' } };
  }

  /** Resolves once a watcher has seen it, after a second at most; immediately if there is no watcher. */
  async announce(): Promise<void> {
    this.#isStopping = true;
    if (this.#askedAtMs === undefined || this.#clock.nowMs() - this.#askedAtMs > watchedWithinMs) return;
    const watched = new AbortController();
    this.#seen = () => watched.abort();
    await delay(this.#clock, waitMaxMs, watched.signal);
  }
}
