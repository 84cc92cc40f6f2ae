import type { Operation } from '../../../http/operation.ts';
import type { WebhookService } from '../webhook-service.ts';
import type { WebhookTestService } from '../webhook-test-service.ts';
import { createWebhook } from './create-webhook.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { getWebhook } from './get-webhook.ts';
import { listWebhooks } from './list-webhooks.ts';
import { testWebhook } from './test-webhook.ts';
import { updateWebhook } from './update-webhook.ts';

/** Every operation on webhooks. */
export function webhookOperations(webhooks: WebhookService, tests: WebhookTestService): Operation[] {
  return [
    listWebhooks(webhooks),
    createWebhook(webhooks),
    getWebhook(webhooks),
    updateWebhook(webhooks),
    deleteWebhook(webhooks),
    testWebhook(tests),
  ];
}
