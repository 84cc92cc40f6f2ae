import { AsyncResource } from 'node:async_hooks';
import type { Clock } from './clock.ts';

/** Looks for work when started, when woken, and after the time returned by the last look; never concurrently. */
export class WakeLoop {
  readonly #clock: Clock;
  readonly #look: () => Promise<number>;
  #looking: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #cancelTimer: () => void = () => {};

  /** `look` resolves with the milliseconds to wait before the next look, and must not reject. */
  constructor(clock: Clock, look: () => Promise<number>) {
    this.#clock = clock;
    // The work is not part of the span that woke the loop (`Tracer`).
    this.#look = AsyncResource.bind(look);
  }

  wake(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#looking ??= this.#lookUntilQuiet().finally(() => {
      this.#looking = undefined;
    });
  }

  /** Resolves when a look that is under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelTimer();
    await this.#looking;
  }

  async #lookUntilQuiet(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      this.#cancelTimer();
      const waitMs = await this.#look();
      if (!this.#stopped) this.#cancelTimer = this.#clock.after(waitMs, () => this.wake());
    }
  }
}
