import { WebhookInputSchema, WebhookSchema } from '../../../contract/webhook.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { presentWebhook } from '../present-webhook.ts';
import type { WebhookService } from '../webhook-service.ts';

export function createWebhook(webhooks: WebhookService): Operation {
  return operation({
    id: 'createWebhook',
    method: 'POST',
    path: '/webhooks',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Create a webhook',
    tag: 'Webhooks',
    role: 'admin',
    body: WebhookInputSchema,
    answer: { kind: 'one', schema: WebhookSchema },
    errors: ['request_invalid'],
    handle: async ({ principal, body }) => ({
      kind: 'data',
      data: presentWebhook(await webhooks.create(principal.tenantId, body)),
    }),
  });
}
