import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { WakeLoop } from '../kernel/wake-loop.ts';
import { groupAlike } from './alike.ts';
import type { ClockWatch } from './clock-set-back.ts';
import type { AlertEvaluator } from './evaluate-alert.ts';
import type { AlertLeases, LeasedAlert } from './lease.ts';

export interface SchedulerOptions {
  leases: AlertLeases;
  evaluator: Pick<AlertEvaluator, 'evaluate'>;
  clockWatch: Pick<ClockWatch, 'check'>;
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
  /** Called when alerts have been evaluated, so that their messages are sent immediately. */
  onEvaluated?: () => void;
}

/** Wakes when a window is due, takes alerts by lease and has them evaluated, a bounded number at a time. */
export class EvaluationScheduler {
  readonly #options: SchedulerOptions;
  readonly #loop: WakeLoop;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  /** Alerts that are being evaluated. */
  #underWay = 0;

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

  /** Queries are cancelled, evaluations that are being written are finished, leases are given back. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop.stop();
    await Promise.allSettled(this.#running);
  }

  async #look(): Promise<number> {
    const { clockWatch, logger, idlePollMs, concurrency } = this.#options;
    const places = concurrency - this.#underWay;
    // A place that becomes free wakes the loop.
    if (places <= 0) return idlePollMs;
    try {
      await clockWatch.check();
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
    for (const alike of groupAlike(claimed)) this.#launch(alike);
    if (claimed.length === max) return max < places ? 0 : idlePollMs;
    const nextMs = await leases.nextDueMs(nowMs);
    if (nextMs === undefined) return idlePollMs;
    return Math.min(idlePollMs, Math.max(0, nextMs + delayMs - clock.nowMs()));
  }

  #launch(alike: readonly LeasedAlert[]): void {
    this.#underWay += alike.length;
    const task = this.#evaluate(alike).finally(() => {
      this.#underWay -= alike.length;
      this.#running.delete(task);
      this.#options.onEvaluated?.();
      this.#loop.wake();
    });
    this.#running.add(task);
  }

  async #evaluate(alike: readonly LeasedAlert[]): Promise<void> {
    const { evaluator, leases, owner, logger } = this.#options;
    try {
      const left = await evaluator.evaluate(alike, this.#stopping.signal);
      await Promise.all(left.map(({ tenantId, alert }) => leases.release(owner, tenantId, alert.id)));
    } catch (error) {
      // Leases are left to run out, so that what fails is not tried in a tight loop.
      logger.error({ err: error }, 'alerts could not be evaluated');
    }
  }
}
