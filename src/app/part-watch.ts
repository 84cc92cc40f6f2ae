import type { Readiness } from '../http/service-routes.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';

/** A look at a store costs a write. */
const everyMs = 15_000;
/** While a part is unavailable, its return is worth more than what a look costs. */
const awayEveryMs = 2_000;

/** Logs one line when a part of the program becomes unavailable, and one when it is back. */
export class PartWatch {
  readonly #readiness: Readiness;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #away = new Set<string>();
  #cancel = () => {};
  #isStopped = false;

  constructor(readiness: Readiness, { clock, logger }: { clock: Clock; logger: Logger }) {
    this.#readiness = readiness;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** The first look is taken immediately. */
  start(): Promise<void> {
    return this.#look();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  async #look(): Promise<void> {
    const { parts, reasons } = await this.#readiness.report();
    if (this.#isStopped) return;
    for (const [part, state] of Object.entries(parts)) this.#note(part, state, reasons?.[part]);
    const nextMs = this.#away.size > 0 ? awayEveryMs : everyMs;
    this.#cancel = this.#clock.after(nextMs, () => void this.#look());
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
