import type { SecretBox } from '../access/secret-box.ts';
import type { OutgoingNotification } from '../evaluator/ports.ts';
import type { Webhook } from '../resources/webhooks/webhook-repository.ts';
import { openWebhookSecrets } from '../resources/webhooks/webhook-secrets.ts';
import { composeMessage } from './render/message.ts';
import { renderPayload } from './render/payload.ts';
import type { WebhookRequest } from './webhook-sender.ts';

export interface Preparation {
  box: SecretBox;
  /** Start of every link (`SIGNALBOX_PUBLIC_URL`). */
  publicUrl: string;
}

/** A request ready to go, and what had to be put right about the templates in it. */
export interface PreparedRequest {
  request: WebhookRequest;
  notice?: string;
}

/** What the webhook's receiver gets. Throws when the secrets were sealed with another key. */
export function prepareRequest(
  webhook: Webhook,
  message: OutgoingNotification,
  { box, publicUrl }: Preparation,
): PreparedRequest {
  const { headers = {}, queryParams = {}, signingSecret, routingKey } = openWebhookSecrets(box, webhook);
  const composed = composeMessage(message, publicUrl);
  const { body, fault } = renderPayload({ ...webhook, ...(routingKey !== undefined && { routingKey }) }, composed);
  const notice = [...composed.faults, ...(fault === undefined ? [] : [fault])].join(' ');
  const request = {
    url: webhook.url,
    headers,
    queryParams,
    body,
    idempotencyKey: message.idempotencyKey,
    ...(signingSecret !== undefined && { signingSecret }),
  };
  return { request, ...(notice !== '' && { notice }) };
}
