import type { WebhookRecord } from '../../contract/webhook.ts';
import type { Webhook } from './webhook-repository.ts';

/** No secret leaves (decisions S1); `body` is shown of generic webhooks only (contract §6). */
export function presentWebhook(webhook: Webhook): WebhookRecord {
  const { sealedSecrets: _sealed, body, ...record } = webhook;
  return webhook.service === 'generic' && body !== undefined ? { ...record, body } : record;
}
