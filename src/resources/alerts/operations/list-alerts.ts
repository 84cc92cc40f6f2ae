import { AlertSchema } from '../../../contract/alert.ts';
import { PageQuerySchema } from '../../../contract/pagination.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { AlertService } from '../alert-service.ts';
import { presentAlert } from '../present-alert.ts';

/** In order of creation, paged (decisions D11). */
export function listAlerts(alerts: AlertService): Operation {
  return operation({
    id: 'listAlerts',
    method: 'GET',
    path: '/alerts',
    flavours: ['selfHosted', 'managed'],
    summary: 'List alerts',
    tag: 'Alerts',
    role: 'read',
    query: PageQuerySchema,
    answer: { kind: 'list', schema: AlertSchema, paged: true },
    errors: ['request_invalid'],
    handle: async ({ principal: { tenantId }, query }) => {
      const listed = await alerts.list(tenantId, query);
      return { kind: 'data', data: listed.alerts.map((stored) => presentAlert(tenantId, stored)), page: listed.page };
    },
  });
}
