import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { WakeLoop } from '../kernel/wake-loop.ts';
import type { AlertEvaluator } from './evaluate-alert.ts';
import type { AlertLeases, LeasedAlert } from './lease.ts';

export interface SchedulerOptions {
  leases: AlertLeases;
  evaluator: Pick<AlertEvaluator, 'evaluate'>;
  clock: Clock;
  logger: Logger;
  /** Names this evaluator among others; a new one at each start. */
  owner: string;
  /** Time that late rows are given after the end of a window (decisions A5). */
  delayMs: number;
  leaseMs: number;
  /** Alerts evaluated at the same time. */
  concurrency: number;
  /** Alerts taken in one go; those that look at the same rows are then read together. */
  claimMax: number;
  /** Looks at least this often: alerts are also made, and leases left behind, by other processes. */
  idlePollMs: number;
  /** Called after each evaluation, so that a message it wrote is sent at once. */
  onEvaluated?: () => void;
}

/** Wakes when a window is due, takes alerts by lease and has them evaluated, a bounded number at a time. */
export class EvaluationScheduler {
  readonly #options: SchedulerOptions;
  readonly #loop: WakeLoop;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#loop = new WakeLoop(options.clock, () => this.#look());
  }

  start(): void {
    this.#loop.wake();
  }

  /** Looks for due alerts now; also for when an alert was made in this process. */
  wake(): void {
    this.#loop.wake();
  }

  /** Queries are cancelled, judgements that are being written are finished, leases are given back. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop.stop();
    await Promise.allSettled(this.#running);
  }

  async #look(): Promise<number> {
    const { logger, idlePollMs, concurrency } = this.#options;
    const places = concurrency - this.#running.size;
    // A place that becomes free wakes the loop.
    if (places <= 0) return idlePollMs;
    try {
      return await this.#startDue(places);
    } catch (error) {
      logger.error({ err: error }, 'due alerts could not be looked up');
      return idlePollMs;
    }
  }

  /** Starts what is due and resolves with the time until something else is. */
  async #startDue(places: number): Promise<number> {
    const { leases, clock, owner, delayMs, leaseMs, idlePollMs, claimMax } = this.#options;
    const nowMs = clock.nowMs();
    const max = Math.min(places, claimMax);
    const claimed = await leases.claimDue({
      owner,
      nowMs,
      dueBeforeMs: nowMs - delayMs,
      leaseUntilMs: nowMs + leaseMs,
      max,
    });
    for (const leased of claimed) this.#launch(leased);
    if (claimed.length === max) return max < places ? 0 : idlePollMs;
    const nextMs = await leases.nextDueMs(nowMs);
    if (nextMs === undefined) return idlePollMs;
    return Math.min(idlePollMs, Math.max(0, nextMs + delayMs - clock.nowMs()));
  }

  #launch(leased: LeasedAlert): void {
    const task = this.#evaluate(leased).finally(() => {
      this.#running.delete(task);
      this.#options.onEvaluated?.();
      this.#loop.wake();
    });
    this.#running.add(task);
  }

  async #evaluate(leased: LeasedAlert): Promise<void> {
    const { evaluator, leases, owner, logger } = this.#options;
    const { tenantId, alert } = leased;
    try {
      const outcome = await evaluator.evaluate(leased, this.#stopping.signal);
      if (outcome === 'leased') await leases.release(owner, tenantId, alert.id);
    } catch (error) {
      // The lease is left to run out: an alert that breaks its evaluation must not be tried in a tight loop.
      logger.error({ alertId: alert.id, err: error }, 'an alert could not be evaluated');
    }
  }
}
