import { WebhookSchema } from '../../../contract/webhook.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { presentWebhook } from '../present-webhook.ts';
import type { WebhookService } from '../webhook-service.ts';

export function getWebhook(webhooks: WebhookService): Operation {
  return operation({
    id: 'getWebhook',
    method: 'GET',
    path: '/webhooks/:id',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Get a webhook',
    tag: 'Webhooks',
    role: 'read',
    answer: { kind: 'one', schema: WebhookSchema },
    errors: ['webhook_not_found'],
    handle: async ({ principal, params }) => ({
      kind: 'data',
      data: presentWebhook(await webhooks.get(principal.tenantId, params.id ?? '')),
    }),
  });
}
