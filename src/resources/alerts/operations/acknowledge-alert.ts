import { AcknowledgeAlertBodySchema, AlertSchema } from '../../../contract/alert.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { AlertMarkService } from '../alert-mark-service.ts';
import { presentAlert } from '../present-alert.ts';

/** Extension: someone is working on it. Notifications of the firing groups are not repeated. */
export function acknowledgeAlert(marks: AlertMarkService): Operation {
  return operation({
    id: 'acknowledgeAlert',
    method: 'POST',
    path: '/alerts/:id/acknowledged',
    flavours: ['selfHosted', 'managed'],
    summary: 'Acknowledge a firing alert',
    tag: 'Alerts',
    role: 'admin',
    body: AcknowledgeAlertBodySchema,
    answer: { kind: 'one', schema: AlertSchema },
    errors: ['request_invalid', 'alert_not_found', 'conflict'],
    handle: async ({ principal: { tenantId, userId, keyId }, params, body }) => {
      const named = { tenantId, id: params.id ?? '' };
      const acknowledged = await marks.acknowledge(named, userId ?? keyId, body.comment);
      return { kind: 'data', data: presentAlert(tenantId, acknowledged) };
    },
  });
}
