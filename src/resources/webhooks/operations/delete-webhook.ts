import { type Operation, operation } from '../../../http/operation.ts';
import type { WebhookService } from '../webhook-service.ts';

export function deleteWebhook(webhooks: WebhookService): Operation {
  return operation({
    id: 'deleteWebhook',
    method: 'DELETE',
    path: '/webhooks/:id',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Delete a webhook',
    tag: 'Webhooks',
    role: 'admin',
    answer: { kind: 'none' },
    errors: ['webhook_not_found', 'conflict'],
    handle: async ({ principal, params }) => {
      await webhooks.remove(principal.tenantId, params.id ?? '');
      return { kind: 'none' };
    },
  });
}
