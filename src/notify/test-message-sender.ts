import type { SecretBox } from '../access/secret-box.ts';
import type { OutgoingNotification } from '../evaluator/ports.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Webhook } from '../resources/webhooks/webhook-repository.ts';
import type { WebhookTester, WebhookTestOutcome } from '../resources/webhooks/webhook-tester-port.ts';
import type { MessageRenderer } from './message-renderer.ts';
import { type PreparedRequest, prepareRequest } from './prepare-request.ts';
import type { WebhookSender } from './webhook-sender.ts';

export interface TestMessageOptions {
  sender: Pick<WebhookSender, 'send'>;
  box: SecretBox;
  renderer: Pick<MessageRenderer, 'render'>;
  clock: Clock;
  ids: Pick<Ids, 'uuid'>;
  logger: Logger;
}

/** Sends a test message immediately, without outbox and retries: the caller waits for the result. */
export class TestMessageSender implements WebhookTester {
  readonly #options: TestMessageOptions;

  constructor(options: TestMessageOptions) {
    this.#options = options;
  }

  async sendTest(tenantId: string, webhook: Webhook, signal: AbortSignal): Promise<WebhookTestOutcome> {
    const prepared = await this.#prepare(tenantId, webhook);
    if (!prepared) return { delivered: false, error: 'The secrets of the webhook can’t be read.' };
    const outcome = await this.#options.sender.send(prepared.request, signal);
    const { notice } = prepared;
    const attempt = {
      ...(outcome.status !== undefined && { status: outcome.status }),
      ...(notice !== undefined && { notice }),
    };
    return outcome.kind === 'delivered'
      ? { delivered: true, ...attempt }
      : { delivered: false, ...attempt, error: outcome.error };
  }

  async #prepare(tenantId: string, webhook: Webhook): Promise<PreparedRequest | undefined> {
    const { clock, ids, logger } = this.#options;
    const message = testMessage({ tenantId, webhookId: webhook.id, id: ids.uuid(), nowMs: clock.nowMs() });
    try {
      return await prepareRequest(webhook, message, this.#options);
    } catch (error) {
      logger.error({ webhookId: webhook.id, err: error }, 'a test message could not be prepared');
      return undefined;
    }
  }
}

interface Sent {
  tenantId: string;
  webhookId: string;
  id: string;
  nowMs: number;
}

/** Everything that a template may ask for is there, and every name in it says "test". */
function testMessage({ tenantId, webhookId, id, nowMs }: Sent): OutgoingNotification {
  return {
    id,
    tenantId,
    webhookId,
    eventId: `test-${id}`,
    idempotencyKey: id,
    createdAtMs: nowMs,
    notification: {
      reason: 'firing',
      alert: {
        id: 'test',
        name: 'Test message from Signalbox',
        message: 'This is a test message. No action is needed.',
        threshold: 1,
        thresholdType: 'above',
        interval: '5m',
      },
      dashboard: { id: 'test', name: 'Test dashboard' },
      tile: { id: 'test', name: 'Test tile' },
      group: [{ key: 'test', value: 'true' }],
      value: 1,
      window: { startMs: nowMs - 5 * 60_000, endMs: nowMs },
      firingSinceMs: nowMs,
    },
  };
}
