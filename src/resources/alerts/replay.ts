import type { OutgoingNotification } from '../../evaluator/ports.ts';
import { type Delivery, deliveryId } from './alert-log.ts';

/** Names the attempt of a delivery id; `undefined` for a text that is none. */
export function parseDeliveryId(text: string): { messageId: string; attempt: number } | undefined {
  const [, messageId, attempt] = /^(.+)-([1-9]\d{0,8})$/.exec(text) ?? [];
  return messageId === undefined ? undefined : { messageId, attempt: Number(attempt) };
}

/** The same text with the same idempotency key, as a separate message that is retried for as long as any other. */
export function replayOf(message: OutgoingNotification, id: string, nowMs: number): OutgoingNotification {
  return { ...message, id, createdAtMs: nowMs, replayOf: message.replayOf ?? message.id };
}

/** The first attempt of a replay, before it was made. */
export function deliveryToCome({ id, webhookId, createdAtMs, notification }: OutgoingNotification): Delivery {
  return {
    id: deliveryId(id, 1),
    messageId: id,
    atMs: createdAtMs,
    durationMs: 0,
    attempt: 1,
    webhookId,
    notification: { reason: 'replay', group: notification.group },
    state: 'queued',
    replayable: false,
  };
}
