import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
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
  /** Looks at least this often: alerts are also made, and leases left behind, by other processes. */
  idlePollMs: number;
}

/** Wakes when a window is due, takes alerts by lease and has them evaluated, a bounded number at a time. */
export class EvaluationScheduler {
  readonly #options: SchedulerOptions;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #cancelTimer: (() => void) | undefined;
  #round: Promise<void> | undefined;
  #again = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  start(): void {
    this.wake();
  }

  /** Looks for due alerts now; also called when an alert was made in this process. */
  wake(): void {
    if (this.#stopping.signal.aborted) return;
    if (this.#round) {
      this.#again = true;
      return;
    }
    this.#round = this.#runRound().finally(() => {
      this.#round = undefined;
      if (!this.#again) return;
      this.#again = false;
      this.wake();
    });
  }

  /** Queries are cancelled, judgements that are being written are finished, leases are given back. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancelTimer?.();
    await this.#round;
    await Promise.allSettled(this.#running);
  }

  async #runRound(): Promise<void> {
    const { clock, logger, idlePollMs } = this.#options;
    this.#cancelTimer?.();
    let waitMs = idlePollMs;
    try {
      waitMs = await this.#startDue();
    } catch (error) {
      logger.error({ err: error }, 'due alerts could not be looked up');
    }
    if (!this.#stopping.signal.aborted) this.#cancelTimer = clock.after(waitMs, () => this.wake());
  }

  /** Starts what is due and free places allow; resolves with the time to wait before the next look. */
  async #startDue(): Promise<number> {
    const { leases, clock, owner, delayMs, leaseMs, concurrency, idlePollMs } = this.#options;
    const max = concurrency - this.#running.size;
    if (max <= 0) return idlePollMs;
    const nowMs = clock.nowMs();
    const claimed = await leases.claimDue({
      owner,
      nowMs,
      dueBeforeMs: nowMs - delayMs,
      leaseUntilMs: nowMs + leaseMs,
      max,
    });
    for (const leased of claimed) this.#launch(leased);
    const nextMs = await leases.nextDueMs(nowMs);
    if (nextMs === undefined) return idlePollMs;
    const isFull = this.#running.size >= concurrency;
    return isFull ? idlePollMs : Math.min(idlePollMs, Math.max(0, nextMs + delayMs - clock.nowMs()));
  }

  #launch(leased: LeasedAlert): void {
    const task = this.#evaluate(leased).finally(() => {
      this.#running.delete(task);
      this.wake();
    });
    this.#running.add(task);
  }

  async #evaluate(leased: LeasedAlert): Promise<void> {
    const { evaluator, leases, owner, logger } = this.#options;
    const { tenantId, alert } = leased;
    try {
      await evaluator.evaluate(leased, this.#stopping.signal);
      await leases.release(owner, tenantId, alert.id);
    } catch (error) {
      // The lease is left to run out: an alert that breaks its evaluation must not be tried in a tight loop.
      logger.error({ alertId: alert.id, err: error }, 'an alert could not be evaluated');
    }
  }
}
