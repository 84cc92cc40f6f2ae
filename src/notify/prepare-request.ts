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

/** What the webhook's receiver gets. Throws when the secrets were sealed with another key. */
export function prepareRequest(
  webhook: Webhook,
  message: OutgoingNotification,
  { box, publicUrl }: Preparation,
): WebhookRequest {
  const { headers = {}, queryParams = {}, signingSecret } = openWebhookSecrets(box, webhook);
  return {
    url: webhook.url,
    headers,
    queryParams,
    body: renderPayload(webhook, composeMessage(message, publicUrl)),
    idempotencyKey: message.idempotencyKey,
    ...(signingSecret !== undefined && { signingSecret }),
  };
}
