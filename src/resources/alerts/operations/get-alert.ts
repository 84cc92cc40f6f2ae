import { AlertSchema } from '../../../contract/alert.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { AlertService } from '../alert-service.ts';
import { presentAlert } from '../present-alert.ts';

export function getAlert(alerts: AlertService): Operation {
  return operation({
    id: 'getAlert',
    method: 'GET',
    path: '/alerts/:id',
    flavours: ['selfHosted', 'managed'],
    summary: 'Get an alert',
    tag: 'Alerts',
    role: 'read',
    answer: { kind: 'one', schema: AlertSchema },
    errors: ['alert_not_found'],
    handle: async ({ principal: { tenantId }, params }) => ({
      kind: 'data',
      data: presentAlert(tenantId, await alerts.get(tenantId, params.id ?? '')),
    }),
  });
}
