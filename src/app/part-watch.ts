import type { Readiness } from '../http/service-routes.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { WakeLoop } from '../kernel/wake-loop.ts';

/** A look at a store costs a write. */
const everyMs = 15_000;
/** While a part is unavailable, its return is worth more than what a look costs. */
const awayEveryMs = 2_000;

/** Logs one line when a part of the program becomes unavailable, and one when it is back. */
export class PartWatch {
  readonly #readiness: Readiness;
  readonly #logger: Logger;
  readonly #away = new Set<string>();
  readonly #loop: WakeLoop;
  #isStopped = false;

  constructor(readiness: Readiness, { clock, logger }: { clock: Clock; logger: Logger }) {
    this.#readiness = readiness;
    this.#logger = logger;
    this.#loop = new WakeLoop(clock, () => this.#look());
  }

  /** The first look is taken immediately. */
  start(): void {
    this.#loop.wake();
  }

  /** Does not wait for a look under way, which takes seconds while a store hangs; nothing of it is logged. */
  stop(): void {
    this.#isStopped = true;
    void this.#loop.stop();
  }

  async #look(): Promise<number> {
    const { parts, reasons } = await this.#readiness.report();
    if (!this.#isStopped) {
      for (const [part, state] of Object.entries(parts)) this.#note(part, state, reasons?.[part]);
    }
    return this.#away.size > 0 ? awayEveryMs : everyMs;
  }

  #note(part: string, state: 'ready' | 'unavailable', reason: string | undefined): void {
    if ((state === 'unavailable') === this.#away.has(part)) return;
    if (state === 'ready') {
      this.#away.delete(part);
      this.#logger.info({ part }, 'a part of the program is available again');
      return;
    }
    this.#away.add(part);
    this.#logger.warn({ part, reason }, 'a part of the program is unavailable');
  }
}
