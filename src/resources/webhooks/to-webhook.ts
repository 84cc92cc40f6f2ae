import type { SecretBox } from '../../access/secret-box.ts';
import type { WebhookInput } from '../../contract/webhook.ts';
import type { Webhook, WebhookSecrets } from './webhook-repository.ts';
import { sealWebhookSecrets } from './webhook-secrets.ts';

/** The record that a body becomes. `secrets` are all that it will have. */
export function toWebhook(
  identity: Pick<Webhook, 'id' | 'createdAt' | 'updatedAt'>,
  input: WebhookInput,
  secrets: WebhookSecrets,
  box: SecretBox,
): Webhook {
  const { service, url, description, body, template } = input;
  const sealedSecrets = sealWebhookSecrets(box, identity.id, secrets);
  return {
    ...identity,
    name: input.name.trim(),
    service,
    url,
    ...(description !== undefined && { description }),
    ...(body !== undefined && { body }),
    ...(template !== undefined && { template }),
    ...(sealedSecrets !== undefined && { sealedSecrets }),
  };
}
