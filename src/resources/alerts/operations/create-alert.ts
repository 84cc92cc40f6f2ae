import { AlertInputSchema, AlertSchema } from '../../../contract/alert.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { AlertService } from '../alert-service.ts';
import { presentAlert } from '../present-alert.ts';

/** seed §Alerts: both flavours. What is required: decisions A1. */
export function createAlert(alerts: AlertService): Operation {
  return operation({
    id: 'createAlert',
    method: 'POST',
    path: '/alerts',
    flavours: ['selfHosted', 'managed'],
    summary: 'Create an alert',
    tag: 'Alerts',
    role: 'admin',
    body: AlertInputSchema,
    answer: { kind: 'one', schema: AlertSchema },
    errors: ['request_invalid'],
    handle: async ({ principal: { tenantId }, body }) => ({
      kind: 'data',
      data: presentAlert(tenantId, await alerts.create(tenantId, body)),
    }),
  });
}
