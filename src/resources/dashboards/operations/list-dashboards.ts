import { DashboardSchema } from '../../../contract/dashboard.ts';
import { PageQuerySchema } from '../../../contract/pagination.ts';
import { operation } from '../../../http/operation.ts';
import type { DashboardRepository } from '../dashboard-repository.ts';

/** All dashboards of the tenant by creation, unparsed: one that cannot be read does not hide the others. */
export function listDashboards({ dashboards }: { dashboards: DashboardRepository }) {
  return operation({
    id: 'listDashboards',
    method: 'GET',
    path: '/dashboards',
    flavours: ['selfHosted', 'managed'],
    summary: 'List dashboards',
    tag: 'Dashboards',
    role: 'read',
    query: PageQuerySchema,
    answer: { kind: 'list', schema: DashboardSchema },
    errors: ['request_invalid'],
    handle: async ({ principal, query }) => {
      const texts = await dashboards.listTexts(principal.tenantId, query);
      return { kind: 'text', json: `[${texts.join(',')}]` };
    },
  });
}
