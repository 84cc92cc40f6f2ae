import { type Operation, operation } from '../../../http/operation.ts';
import type { AlertMarkService } from '../alert-mark-service.ts';

/** Extension. What has started to fire meanwhile is notified with the next window. Nothing happens when the alert is not silenced. */
export function unsilenceAlert(marks: AlertMarkService): Operation {
  return operation({
    id: 'unsilenceAlert',
    method: 'DELETE',
    path: '/alerts/:id/silenced',
    flavours: ['selfHosted', 'managed'],
    summary: 'End the silence of an alert',
    tag: 'Alerts',
    role: 'admin',
    answer: { kind: 'none' },
    errors: ['alert_not_found'],
    handle: async ({ principal: { tenantId }, params }) => {
      await marks.unsilence({ tenantId, id: params.id ?? '' });
      return { kind: 'none' };
    },
  });
}
