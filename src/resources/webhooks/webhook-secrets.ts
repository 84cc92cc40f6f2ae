import type { SecretBox } from '../../access/secret-box.ts';
import type { WebhookInput } from '../../contract/webhook.ts';
import type { Webhook, WebhookSecrets } from './webhook-repository.ts';

/** The sealed text of a webhook's secrets, bound to its id; `undefined` when there are none. */
export function sealWebhookSecrets(box: SecretBox, webhookId: string, secrets: WebhookSecrets): string | undefined {
  if (Object.keys(secrets).length === 0) return undefined;
  return box.seal(JSON.stringify(secrets), webhookId);
}

/** The secrets of a stored webhook. Throws when they were sealed with another key. */
export function openWebhookSecrets(box: SecretBox, webhook: Pick<Webhook, 'id' | 'sealedSecrets'>): WebhookSecrets {
  if (webhook.sealedSecrets === undefined) return {};
  return JSON.parse(box.open(webhook.sealedSecrets, webhook.id));
}

/**
 * The secrets after a write: what the request gives, and for what it leaves out the `kept` ones. An empty object or text
 * clears (contract §6).
 */
export function mergeWebhookSecrets(input: WebhookInput, kept: WebhookSecrets): WebhookSecrets {
  const { headers = kept.headers, queryParams = kept.queryParams, signingSecret = kept.signingSecret } = input;
  const { routingKey = kept.routingKey } = input;
  return {
    ...(hasKeys(headers) && { headers }),
    ...(hasKeys(queryParams) && { queryParams }),
    ...(signingSecret && { signingSecret }),
    ...(routingKey && input.template === 'pagerduty' && { routingKey }),
  };
}

function hasKeys(pairs: Record<string, string> | undefined): boolean {
  return pairs !== undefined && Object.keys(pairs).length > 0;
}
