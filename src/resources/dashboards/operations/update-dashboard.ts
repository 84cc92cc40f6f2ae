import { DashboardSchema, UpdateDashboardSchema } from '../../../contract/dashboard.ts';
import { RemovalMetaSchema } from '../../../contract/envelope.ts';
import { AppError } from '../../../contract/errors.ts';
import { operation } from '../../../http/operation.ts';
import type { DashboardRepository } from '../dashboard-repository.ts';
import type { DashboardService } from '../dashboard-service.ts';
import { etagOf } from '../if-match.ts';
import { writingOf } from './writing-of.ts';

/** seed §Update dashboard. An invalid configuration is `dashboard_invalid`: 500 self-hosted (rule 3), 400 managed. */
export function updateDashboard(parts: { service: DashboardService; dashboards: DashboardRepository }) {
  return operation({
    id: 'updateDashboard',
    method: 'PUT',
    path: '/dashboards/:id',
    flavours: ['selfHosted', 'managed'],
    summary: 'Update a dashboard',
    tag: 'Dashboards',
    role: 'admin',
    body: UpdateDashboardSchema,
    bodyInvalid: 'dashboard_invalid',
    answer: { kind: 'one', schema: DashboardSchema, meta: RemovalMetaSchema },
    errors: ['dashboard_not_found', 'dashboard_invalid', 'precondition_failed'],
    precheck: async ({ principal, params: { id = '' } }) => {
      if (!(await parts.dashboards.findText(principal.tenantId, id))) throw new AppError('dashboard_not_found');
    },
    handle: async ({ principal, params: { id = '' }, body, ifMatch }) => {
      const { json, version, deletedAlerts } = await parts.service.update(writingOf({ principal, ifMatch }), id, body);
      const meta = deletedAlerts.length > 0 && { meta: JSON.stringify({ deletedAlerts }) };
      return { kind: 'text', json, etag: etagOf(version), ...meta };
    },
  });
}
