import { DashboardSchema } from '../../../contract/dashboard.ts';
import { AppError } from '../../../contract/errors.ts';
import { operation } from '../../../http/operation.ts';
import type { DashboardRepository } from '../dashboard-repository.ts';
import { etagOf } from '../if-match.ts';

/** The stored text is the answer: nothing is parsed on this path. */
export function getDashboard({ dashboards }: { dashboards: DashboardRepository }) {
  return operation({
    id: 'getDashboard',
    method: 'GET',
    path: '/dashboards/:id',
    flavours: ['selfHosted', 'managed'],
    summary: 'Get a dashboard',
    tag: 'Dashboards',
    role: 'read',
    answer: { kind: 'one', schema: DashboardSchema },
    errors: ['dashboard_not_found'],
    handle: async ({ principal, params: { id = '' } }) => {
      const text = await dashboards.findText(principal.tenantId, id);
      if (!text) throw new AppError('dashboard_not_found');
      return { kind: 'text', json: text.json, etag: etagOf(text.version) };
    },
  });
}
