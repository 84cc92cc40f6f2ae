import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { WakeLoop } from '../kernel/wake-loop.ts';

/** Port: what the evaluator and the sender have written about the past. */
export interface OldRecords {
  /**
   * Removes up to `rowsMax` each of the history rows, the finished messages and the delivery attempts from before
   * `beforeMs`; answers how many went, 0 = none are left. Messages that are still to be sent stay, however old.
   */
  removeBefore(beforeMs: number, rowsMax: number): Promise<number>;
}

export interface PrunerOptions {
  records: OldRecords;
  clock: Clock;
  logger: Logger;
  keepMs: number;
  /** Pause between two rounds. */
  everyMs: number;
  /** Rows of each kind per statement: other writers get their turn in between. */
  batchRows: number;
}

/** Removes old records round by round. Several processes may do so side by side. */
export class RecordPruner {
  readonly #options: PrunerOptions;
  readonly #loop: WakeLoop;
  #stopped = false;

  constructor(options: PrunerOptions) {
    this.#options = options;
    this.#loop = new WakeLoop(options.clock, () => this.#round());
  }

  start(): void {
    this.#loop.wake();
  }

  /** Resolves when the batch that is under way has ended. */
  stop(): Promise<void> {
    this.#stopped = true;
    return this.#loop.stop();
  }

  async #round(): Promise<number> {
    const { records, clock, logger, keepMs, everyMs, batchRows } = this.#options;
    const beforeMs = clock.nowMs() - keepMs;
    try {
      while (!this.#stopped) {
        if ((await records.removeBefore(beforeMs, batchRows)) === 0) break;
      }
    } catch (error) {
      logger.error({ err: error }, 'old records could not be removed');
    }
    return everyMs;
  }
}
