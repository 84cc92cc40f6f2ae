import type { SecretBox } from '../access/secret-box.ts';
import type { OutgoingNotification } from '../evaluator/ports.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Webhook, WebhookRepository } from '../resources/webhooks/webhook-repository.ts';
import { type DeliveryMetrics, type DeliveryOutcome, uncountedDeliveries } from './delivery-metrics.ts';
import type { MessageRenderer } from './message-renderer.ts';
import type { Attempt, AttemptResult, ClaimedMessage, Outbox } from './outbox.ts';
import { type PreparedRequest, prepareRequest } from './prepare-request.ts';
import { afterAttempt, type Following, messageLifetimeMs } from './retry-policy.ts';
import type { SendOutcome, WebhookSender } from './webhook-sender.ts';

export interface DeliverOptions {
  webhooks: Pick<WebhookRepository, 'find'>;
  box: SecretBox;
  sender: Pick<WebhookSender, 'send'>;
  outbox: Pick<Outbox, 'record'>;
  clock: Clock;
  logger: Logger;
  renderer: Pick<MessageRenderer, 'render'>;
  /** Pause before the first retry. */
  firstRetryMs: number;
  /** 0 ≤ random() < 1. */
  random: () => number;
  metrics?: DeliveryMetrics;
}

/** Takes one claimed message down the line: find the webhook → render → send → record. */
export class MessageDelivery {
  readonly #options: DeliverOptions;

  constructor(options: DeliverOptions) {
    this.#options = options;
  }

  /** Throws only when the result could not be recorded; the message is then claimed again later. */
  async deliver(claimed: ClaimedMessage, signal: AbortSignal): Promise<void> {
    const { clock, outbox, metrics = uncountedDeliveries } = this.#options;
    const startedMs = clock.nowMs();
    const prepared = await this.#prepare(claimed.message);
    const outcome = 'kind' in prepared ? prepared : await this.#options.sender.send(prepared.request, signal);
    const nowMs = clock.nowMs();
    const notice = 'kind' in prepared ? undefined : prepared.notice;
    const attempt = { ...attemptOf(outcome, startedMs, nowMs), ...(notice !== undefined && { notice }) };
    const isCutOff = signal.aborted && outcome.kind === 'failed';
    const { result, receiver } = isCutOff ? cutOff(nowMs) : this.#following(outcome, claimed, nowMs);
    metrics.tried(isCutOff ? 'interrupted' : deliveryOutcomes[result.kind], nowMs - startedMs);
    await outbox.record(claimed, attempt, result, receiver && { ...receiver, waiting: waitingAt(nowMs) });
  }

  #following(outcome: SendOutcome, claimed: ClaimedMessage, nowMs: number): Following {
    const { firstRetryMs, random } = this.#options;
    return afterAttempt(outcome, {
      createdAtMs: claimed.message.createdAtMs,
      attempts: claimed.attempts + 1,
      receiverFailures: claimed.receiverFailures,
      nowMs,
      firstRetryMs,
      jitter: random(),
    });
  }

  async #prepare(message: OutgoingNotification): Promise<PreparedRequest | SendOutcome> {
    const webhook = await this.#options.webhooks.find(message.tenantId, message.webhookId);
    if (!webhook) return { kind: 'failed', recoverable: false, error: 'The webhook no longer exists.' };
    const prepared = await this.#render(webhook, message);
    return prepared ?? { kind: 'failed', recoverable: false, error: 'The secrets of the webhook can’t be read.' };
  }

  async #render(webhook: Webhook, message: OutgoingNotification): Promise<PreparedRequest | undefined> {
    try {
      return await prepareRequest(webhook, message, this.#options);
    } catch (error) {
      this.#options.logger.error({ webhookId: webhook.id, err: error }, 'a message could not be prepared');
      return undefined;
    }
  }
}

const deliveryOutcomes: Readonly<Record<AttemptResult['kind'], DeliveryOutcome>> = {
  delivered: 'delivered',
  retry: 'retried',
  failed: 'failed',
};

/** Messages that may wait for one receiver that fails. */
const waitingMax = 10_000;

function waitingAt(nowMs: number) {
  return { nowMs, createdAfterMs: nowMs - messageLifetimeMs, max: waitingMax };
}

/** At a stop: not the receiver's doing. */
function cutOff(nowMs: number): Following {
  return { result: { kind: 'retry', nextAttemptMs: nowMs } };
}

function attemptOf(outcome: SendOutcome, startedMs: number, nowMs: number): Attempt {
  return {
    atMs: startedMs,
    durationMs: nowMs - startedMs,
    ...(outcome.status !== undefined && { status: outcome.status }),
    ...(outcome.kind === 'failed' && { error: outcome.error }),
  };
}
