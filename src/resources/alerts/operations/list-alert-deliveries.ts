import { AlertDeliverySchema } from '../../../contract/alert-log.ts';
import { PageQuerySchema } from '../../../contract/pagination.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { AlertLogService } from '../alert-log-service.ts';
import { presentDelivery } from '../present-alert-log.ts';

/** decisions A8: every attempt is in a delivery log. Newest first, paged. */
export function listAlertDeliveries(log: AlertLogService): Operation {
  return operation({
    id: 'listAlertDeliveries',
    method: 'GET',
    path: '/alerts/:id/deliveries',
    flavours: ['selfHosted', 'managed'],
    summary: 'List the attempts to deliver messages of an alert',
    tag: 'Alerts',
    role: 'read',
    query: PageQuerySchema,
    answer: { kind: 'list', schema: AlertDeliverySchema, paged: true },
    errors: ['request_invalid', 'alert_not_found'],
    handle: async ({ principal, params, query }) => {
      const { deliveries, page } = await log.listDeliveries(principal.tenantId, params.id ?? '', query);
      return { kind: 'data', data: deliveries.map(presentDelivery), page };
    },
  });
}
