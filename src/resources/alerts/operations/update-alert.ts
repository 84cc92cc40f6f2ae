import { AlertInputSchema, AlertSchema } from '../../../contract/alert.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { AlertService } from '../alert-service.ts';
import { presentAlert } from '../present-alert.ts';

/** Full replacement (decisions A3). The alert is looked for before the body is validated (decisions D2). */
export function updateAlert(alerts: AlertService): Operation {
  return operation({
    id: 'updateAlert',
    method: 'PUT',
    path: '/alerts/:id',
    flavours: ['selfHosted', 'managed'],
    summary: 'Replace an alert',
    tag: 'Alerts',
    role: 'admin',
    body: AlertInputSchema,
    answer: { kind: 'one', schema: AlertSchema },
    errors: ['request_invalid', 'alert_not_found'],
    precheck: async ({ principal, params }) => {
      await alerts.get(principal.tenantId, params.id ?? '');
    },
    handle: async ({ principal: { tenantId }, params, body }) => ({
      kind: 'data',
      data: presentAlert(tenantId, await alerts.replace(tenantId, params.id ?? '', body)),
    }),
  });
}
