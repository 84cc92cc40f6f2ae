import { DashboardSchema } from '../../../contract/dashboard.ts';
import { DeletedDashboardSchema, UndeletionMetaSchema } from '../../../contract/dashboard-version.ts';
import { limits } from '../../../contract/limits.ts';
import { PageQuerySchema } from '../../../contract/pagination.ts';
import { operation } from '../../../http/operation.ts';
import type { DashboardRepository } from '../dashboard-repository.ts';
import type { DashboardService } from '../dashboard-service.ts';
import { etagOf } from '../if-match.ts';
import { presentDeleted } from '../present-version.ts';

/** Extension: what can be brought back. */
export function listDeletedDashboards({ dashboards }: { dashboards: Pick<DashboardRepository, 'deleted'> }) {
  return operation({
    id: 'listDeletedDashboards',
    method: 'GET',
    path: '/deleted-dashboards',
    flavours: ['selfHosted', 'managed'],
    summary: 'List the dashboards deleted in the last 30 days, the last deleted first',
    tag: 'Dashboards',
    role: 'read',
    query: PageQuerySchema,
    answer: { kind: 'list', schema: DeletedDashboardSchema, paged: true },
    errors: ['request_invalid'],
    handle: async ({ principal, query: { limit = limits.pageSize, offset = 0 } }) => {
      const { dashboards: found, total } = await dashboards.deleted(principal.tenantId, { limit, offset });
      return { kind: 'data', data: found.map(presentDeleted), page: { total, limit, offset } };
    },
  });
}

/** Extension: the dashboard is as it was, with its id and its versions; its alerts begin anew. */
export function restoreDeletedDashboard({ service }: { service: DashboardService }) {
  return operation({
    id: 'restoreDeletedDashboard',
    method: 'POST',
    path: '/deleted-dashboards/:id/restore',
    flavours: ['selfHosted', 'managed'],
    summary: 'Bring a deleted dashboard and its alerts back',
    tag: 'Dashboards',
    role: 'admin',
    answer: { kind: 'one', schema: DashboardSchema, meta: UndeletionMetaSchema },
    errors: ['dashboard_not_found'],
    handle: async ({ principal, params: { id = '' } }) => {
      const { json, version, restoredAlerts, lostAlerts } = await service.undelete(principal.tenantId, id);
      const meta = {
        ...(restoredAlerts.length > 0 && { restoredAlerts }),
        ...(lostAlerts.length > 0 && { lostAlerts }),
      };
      const hasMeta = Object.keys(meta).length > 0;
      return { kind: 'text', json, etag: etagOf(version), ...(hasMeta && { meta: JSON.stringify(meta) }) };
    },
  });
}
