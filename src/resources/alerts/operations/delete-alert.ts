import { type Operation, operation } from '../../../http/operation.ts';
import type { AlertService } from '../alert-service.ts';

export function deleteAlert(alerts: AlertService): Operation {
  return operation({
    id: 'deleteAlert',
    method: 'DELETE',
    path: '/alerts/:id',
    flavours: ['selfHosted', 'managed'],
    summary: 'Delete an alert',
    tag: 'Alerts',
    role: 'admin',
    answer: { kind: 'none' },
    errors: ['alert_not_found'],
    handle: async ({ principal, params }) => {
      await alerts.remove(principal.tenantId, params.id ?? '');
      return { kind: 'none' };
    },
  });
}
