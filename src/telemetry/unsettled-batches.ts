import { type Clock, delay } from '../kernel/clock.ts';
import { type Batch, reject } from './batch.ts';
import { TelemetryError } from './ports.ts';

export interface UnsettledOptions {
  clock: Clock;
  /** Tries once; `undefined` when the batch is committed. */
  attempt: (batch: Batch) => Promise<TelemetryError | undefined>;
  /** The batch is committed, or is given up for this reason. */
  onSettled: (batch: Batch, reason: TelemetryError | undefined) => void;
  /** For how long senders may send its requests again. */
  keepForMs: number;
}

const pauseMinMs = 1_000;
const pauseMaxMs = 10_000;

/**
 * Batches whose senders were asked to try again although it is unknown whether they are stored. Each is tried on as it
 * was, with its own token, until that is known: in another batch, the store would not recognise a request that comes
 * again. One attempt at a time, so that a store that comes back is not overrun.
 */
export class UnsettledBatches {
  readonly #options: UnsettledOptions;
  readonly #batches: { batch: Batch; untilMs: number }[] = [];
  readonly #stop = new AbortController();
  #stopsAtMs = Number.POSITIVE_INFINITY;
  #pauseMs = pauseMinMs;
  #running: Promise<void> | undefined;

  constructor(options: UnsettledOptions) {
    this.#options = options;
  }

  add(batch: Batch): void {
    const { clock, keepForMs } = this.#options;
    this.#batches.push({ batch, untilMs: clock.nowMs() + keepForMs });
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Tries each once more without a pause, as long as that begins before `atMs`. */
  async stop(atMs: number): Promise<void> {
    this.#stopsAtMs = atMs;
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, onSettled } = this.#options;
    await this.#pause();
    for (let next = this.#batches.shift(); next; next = this.#batches.shift()) {
      const { batch, untilMs } = next;
      const isLast = this.#stop.signal.aborted || clock.nowMs() >= untilMs;
      const reason = await this.#attempt(batch);
      if (!reason) this.#pauseMs = pauseMinMs;
      if (!reason || isLast) {
        onSettled(batch, reason);
        continue;
      }
      reject(batch, reason);
      this.#batches.push(next);
      await this.#pause();
    }
  }

  async #attempt(batch: Batch): Promise<TelemetryError | undefined> {
    const { clock, attempt } = this.#options;
    if (clock.nowMs() < this.#stopsAtMs) return attempt(batch);
    return new TelemetryError('unavailable', 'the collector is stopping');
  }

  async #pause(): Promise<void> {
    await delay(this.#options.clock, this.#pauseMs, this.#stop.signal);
    this.#pauseMs = Math.min(2 * this.#pauseMs, pauseMaxMs);
  }
}
