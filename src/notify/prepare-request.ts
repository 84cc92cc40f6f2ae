import type { SecretBox } from '../access/secret-box.ts';
import type { OutgoingNotification } from '../evaluator/ports.ts';
import { parseTraceparent } from '../kernel/traceparent.ts';
import type { Webhook } from '../resources/webhooks/webhook-repository.ts';
import { openWebhookSecrets } from '../resources/webhooks/webhook-secrets.ts';
import type { MessageRenderer } from './message-renderer.ts';
import type { WebhookRequest } from './webhook-sender.ts';

export interface Preparation {
  box: SecretBox;
  renderer: Pick<MessageRenderer, 'render'>;
}

/** A request ready to go, and what had to be put right about the templates in it. */
export interface PreparedRequest {
  request: WebhookRequest;
  notice?: string;
}

/** What the webhook's receiver gets. Rejects when the secrets were sealed with another key. */
export async function prepareRequest(
  webhook: Webhook,
  message: OutgoingNotification,
  { box, renderer }: Preparation,
): Promise<PreparedRequest> {
  const { headers = {}, queryParams = {}, signingSecret, routingKey } = openWebhookSecrets(box, webhook);
  const { service, template } = webhook;
  const wanted = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const receiver = {
    service,
    ...(webhook.body !== undefined && { body: webhook.body }),
    ...(template !== undefined && { template }),
    ...(routingKey !== undefined && { routingKey }),
    ...(wanted !== undefined && { contentType: wanted }),
  };
  const parent = parseTraceparent(message.notification.traceparent);
  const { body, contentType, problems } = await renderer.render(receiver, message);
  const request = {
    url: webhook.url,
    headers: wanted === undefined ? { ...headers, 'content-type': contentType } : headers,
    queryParams,
    body,
    idempotencyKey: message.idempotencyKey,
    ...(parent && { parent }),
    ...(signingSecret !== undefined && { signingSecret }),
  };
  return { request, ...(problems.length > 0 && { notice: problems.join(' ') }) };
}
