import { RemovalMetaSchema } from '../../../contract/envelope.ts';
import { operation } from '../../../http/operation.ts';
import type { DashboardService } from '../dashboard-service.ts';
import { writingOf } from './writing-of.ts';

export function deleteDashboard({ service }: { service: DashboardService }) {
  return operation({
    id: 'deleteDashboard',
    method: 'DELETE',
    path: '/dashboards/:id',
    flavours: ['selfHosted', 'managed'],
    summary: 'Delete a dashboard and the alerts of its tiles; both can be brought back for 30 days',
    tag: 'Dashboards',
    role: 'admin',
    answer: { kind: 'none', meta: RemovalMetaSchema },
    errors: ['dashboard_not_found', 'precondition_failed'],
    handle: async ({ principal, params: { id = '' }, ifMatch }) => {
      const deletedAlerts = await service.remove(writingOf({ principal, ifMatch }), id);
      return { kind: 'none', ...(deletedAlerts.length > 0 && { meta: { deletedAlerts } }) };
    },
  });
}
