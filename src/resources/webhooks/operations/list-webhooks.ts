import { PageQuerySchema } from '../../../contract/pagination.ts';
import { WebhookSchema } from '../../../contract/webhook.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { presentWebhook } from '../present-webhook.ts';
import type { WebhookService } from '../webhook-service.ts';

/** seed §Sources and webhooks: for keys in the self-hosted flavour only. */
export function listWebhooks(webhooks: WebhookService): Operation {
  return operation({
    id: 'listWebhooks',
    method: 'GET',
    path: '/webhooks',
    flavours: ['selfHosted'],
    console: true,
    summary: 'List webhooks',
    tag: 'Webhooks',
    role: 'read',
    query: PageQuerySchema,
    answer: { kind: 'list', schema: WebhookSchema, paged: true },
    errors: ['request_invalid'],
    handle: async ({ principal, query }) => {
      const listed = await webhooks.list(principal.tenantId, query);
      return { kind: 'data', data: listed.webhooks.map(presentWebhook), page: listed.page };
    },
  });
}
