import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import { WakeLoop } from '../kernel/wake-loop.ts';
import type { MessageDelivery } from './deliver-message.ts';
import { busyWebhooks, type ClaimedMessage, type Outbox } from './outbox.ts';

export interface PipelineOptions {
  outbox: Pick<Outbox, 'claimDue' | 'nextDueMs'>;
  delivery: Pick<MessageDelivery, 'deliver'>;
  clock: Clock;
  ids: Pick<Ids, 'uuid'>;
  logger: Logger;
  /** Messages under way at the same time. */
  concurrency: number;
  /** Of these, so many to one webhook: a slow receiver must not hold up the others (U-43). */
  perWebhookMax: number;
  /** Longer than one try can take; then another sender may take the message. */
  claimMs: number;
  /** Looks at least this often, since other processes write messages too. */
  idlePollMs: number;
  /** At a stop, tries under way may end by themselves for so long. */
  graceMs: number;
}

/** Takes due messages out of the outbox and has them delivered, a bounded number at a time. */
export class NotificationPipeline {
  readonly #options: PipelineOptions;
  readonly #loop: WakeLoop;
  readonly #stopping = new AbortController();
  readonly #underWay = new Map<Promise<void>, string>();
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
    await Promise.allSettled(this.#underWay.keys());
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
    const claimed = await outbox.claimDue({
      claim: ids.uuid(),
      nowMs,
      claimUntilMs: nowMs + claimMs,
      max: places,
      perWebhookMax,
      underWay: this.#countByWebhook(),
    });
    for (const message of claimed) this.#launch(message);
    // A try that ends wakes the loop: until then full places and busy webhooks have nothing to wait for.
    if (claimed.length === places) return idlePollMs;
    const nextMs = await outbox.nextDueMs(busyWebhooks(this.#countByWebhook(), perWebhookMax));
    if (nextMs === undefined) return idlePollMs;
    return Math.min(idlePollMs, Math.max(0, nextMs - clock.nowMs()));
  }

  #countByWebhook(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const webhookId of this.#underWay.values()) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
    return counts;
  }

  #launch(claimed: ClaimedMessage): void {
    const task = this.#deliver(claimed).finally(() => {
      this.#underWay.delete(task);
      this.#loop.wake();
    });
    this.#underWay.set(task, claimed.message.webhookId);
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
