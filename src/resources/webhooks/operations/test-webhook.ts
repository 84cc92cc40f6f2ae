import { WebhookTestSchema } from '../../../contract/webhook.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { WebhookTestService } from '../webhook-test-service.ts';

/** Sends one test message and returns the outcome; a failure of the receiver is not an error of the request. */
export function testWebhook(tests: WebhookTestService): Operation {
  return operation({
    id: 'testWebhook',
    method: 'POST',
    path: '/webhooks/:id/test',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Send a test message to a webhook',
    tag: 'Webhooks',
    role: 'admin',
    answer: { kind: 'one', schema: WebhookTestSchema },
    errors: ['request_invalid', 'webhook_not_found'],
    handle: async ({ principal, params, signal }) => ({
      kind: 'data',
      data: await tests.test(principal.tenantId, params.id ?? '', signal),
    }),
  });
}
