import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import { SetBackWatch, setBackToleranceMs } from '../kernel/set-back-watch.ts';
import { WakeLoop } from '../kernel/wake-loop.ts';
import type { MessageDelivery } from './deliver-message.ts';
import type { ClaimedMessage, Outbox } from './outbox.ts';
import { retryAfterMaxMs } from './retry-policy.ts';

export interface PipelineOptions {
  outbox: Pick<Outbox, 'claimDue' | 'nextDueMs' | 'endWaitsAfter'>;
  delivery: Pick<MessageDelivery, 'deliver'>;
  clock: Clock;
  ids: Pick<Ids, 'uuid'>;
  logger: Logger;
  /** Messages under way at the same time. */
  concurrency: number;
  /** Of all senders, so many to one webhook: a slow receiver must not hold up the others (U-43). */
  perWebhookMax: number;
  /** Longer than one try can take; then another sender may take the message. */
  claimMs: number;
  /** Looks at least this often, since other processes write messages too. */
  idlePollMs: number;
  /** How long running attempts may take to finish at a stop. */
  graceMs: number;
}

/** Takes due messages out of the outbox and has them delivered, a bounded number at a time. */
export class NotificationPipeline {
  readonly #options: PipelineOptions;
  readonly #loop: WakeLoop;
  readonly #stopping = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  readonly #clockWatch = new SetBackWatch();
  #stopped = false;

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.#loop = new WakeLoop(options.clock, () => this.#look());
  }

  start(): void {
    this.#loop.wake();
  }

  /** For when messages were written in this process. */
  wake(): void {
    this.#loop.wake();
  }

  /** Takes nothing new, lets tries end, then cuts them off; a message that was cut off is tried again later. */
  async stop(): Promise<void> {
    const { clock, graceMs } = this.#options;
    this.#stopped = true;
    await this.#loop.stop();
    const cancelTimer = clock.after(graceMs, () => this.#stopping.abort());
    await Promise.allSettled(this.#underWay);
    cancelTimer();
  }

  async #look(): Promise<number> {
    const { logger, idlePollMs, concurrency } = this.#options;
    const places = concurrency - this.#underWay.size;
    if (this.#stopped || places <= 0) return idlePollMs;
    try {
      return await this.#startDue(places);
    } catch (error) {
      logger.error({ err: error }, 'due messages could not be looked up');
      return idlePollMs;
    }
  }

  async #startDue(places: number): Promise<number> {
    const { outbox, clock, ids, claimMs, idlePollMs, perWebhookMax } = this.#options;
    const nowMs = clock.nowMs();
    await this.#noticeSetBack(nowMs);
    const claimed = await outbox.claimDue({
      claim: ids.uuid(),
      nowMs,
      claimUntilMs: nowMs + claimMs,
      max: places,
      perWebhookMax,
    });
    for (const message of claimed) this.#launch(message);
    // A try that ends wakes the loop: until then full places and busy webhooks have nothing to wait for.
    if (claimed.length === places) return idlePollMs;
    const nextMs = await outbox.nextDueMs({ nowMs, perWebhookMax });
    if (nextMs === undefined) return idlePollMs;
    return Math.min(idlePollMs, Math.max(0, nextMs - clock.nowMs()));
  }

  /** What a clock that was ahead wrote would wait for its time; also what it wrote before this process was started. */
  async #noticeSetBack(nowMs: number): Promise<void> {
    const { outbox, claimMs } = this.#options;
    if (!this.#clockWatch.wasSetBack(nowMs)) return;
    await outbox.endWaitsAfter({
      nowMs,
      claimedUntilMs: nowMs + claimMs + setBackToleranceMs,
      waitingUntilMs: nowMs + retryAfterMaxMs + setBackToleranceMs,
    });
  }

  #launch(claimed: ClaimedMessage): void {
    const task = this.#deliver(claimed).finally(() => {
      this.#underWay.delete(task);
      this.#loop.wake();
    });
    this.#underWay.add(task);
  }

  async #deliver(claimed: ClaimedMessage): Promise<void> {
    try {
      await this.#options.delivery.deliver(claimed, this.#stopping.signal);
    } catch (error) {
      // The claim runs out and the message is tried again.
      this.#options.logger.error({ messageId: claimed.message.id, err: error }, 'a message could not be delivered');
    }
  }
}
