import { WebhookInputSchema, WebhookSchema } from '../../../contract/webhook.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { presentWebhook } from '../present-webhook.ts';
import type { WebhookService } from '../webhook-service.ts';

/** Replaces the record. The webhook is looked for before the body is validated (decisions D2). */
export function updateWebhook(webhooks: WebhookService): Operation {
  return operation({
    id: 'updateWebhook',
    method: 'PUT',
    path: '/webhooks/:id',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Replace a webhook',
    tag: 'Webhooks',
    role: 'admin',
    body: WebhookInputSchema,
    answer: { kind: 'one', schema: WebhookSchema },
    errors: ['request_invalid', 'webhook_not_found', 'conflict'],
    precheck: async ({ principal, params }) => {
      await webhooks.get(principal.tenantId, params.id ?? '');
    },
    handle: async ({ principal, params, body }) => ({
      kind: 'data',
      data: presentWebhook(await webhooks.replace(principal.tenantId, params.id ?? '', body)),
    }),
  });
}
