import { type Operation, operation } from '../../../http/operation.ts';
import type { AlertMarkService } from '../alert-mark-service.ts';

/** Extension. Nothing happens when the alert is not acknowledged. */
export function unacknowledgeAlert(marks: AlertMarkService): Operation {
  return operation({
    id: 'unacknowledgeAlert',
    method: 'DELETE',
    path: '/alerts/:id/acknowledged',
    flavours: ['selfHosted', 'managed'],
    summary: 'Remove the acknowledgement of an alert',
    tag: 'Alerts',
    role: 'admin',
    answer: { kind: 'none' },
    errors: ['alert_not_found'],
    handle: async ({ principal: { tenantId }, params }) => {
      await marks.unacknowledge({ tenantId, id: params.id ?? '' });
      return { kind: 'none' };
    },
  });
}
