import { AlertSchema, SilenceAlertBodySchema } from '../../../contract/alert.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { AlertMarkService } from '../alert-mark-service.ts';
import { presentAlert } from '../present-alert.ts';

/** Extension (contract §3.3). The alert is still evaluated; until then no message says that it fires. */
export function silenceAlert(marks: AlertMarkService): Operation {
  return operation({
    id: 'silenceAlert',
    method: 'POST',
    path: '/alerts/:id/silenced',
    flavours: ['selfHosted', 'managed'],
    summary: 'Silence an alert for a while',
    tag: 'Alerts',
    role: 'admin',
    body: SilenceAlertBodySchema,
    answer: { kind: 'one', schema: AlertSchema },
    errors: ['request_invalid', 'alert_not_found'],
    handle: async ({ principal: { tenantId, userId, keyId }, params, body }) => {
      const silenced = await marks.silence({ tenantId, id: params.id ?? '' }, userId ?? keyId, body);
      return { kind: 'data', data: presentAlert(tenantId, silenced) };
    },
  });
}
