import { DashboardExportSchema } from '../../../contract/dashboard-import.ts';
import { AppError } from '../../../contract/errors.ts';
import { operation } from '../../../http/operation.ts';
import type { DashboardRepository } from '../dashboard-repository.ts';
import type { DashboardImportService } from '../import/dashboard-import-service.ts';

export interface ExportDashboardDeps {
  imports: DashboardImportService;
  dashboards: Pick<DashboardRepository, 'find'>;
}

/** The dashboard with names beside the ids that it refers to; `POST /dashboards/import` takes it anywhere. */
export function exportDashboardOperation({ imports, dashboards }: ExportDashboardDeps) {
  return operation({
    id: 'exportDashboard',
    method: 'GET',
    path: '/dashboards/:id/export',
    flavours: ['selfHosted', 'managed'],
    summary: 'Export a dashboard for another installation',
    tag: 'Dashboards',
    role: 'read',
    answer: { kind: 'one', schema: DashboardExportSchema },
    errors: ['dashboard_not_found'],
    handle: async ({ principal: { tenantId }, params: { id = '' } }) => {
      const stored = await dashboards.find(tenantId, id);
      if (!stored) throw new AppError('dashboard_not_found');
      return { kind: 'data', data: await imports.export(tenantId, stored.dashboard) };
    },
  });
}
