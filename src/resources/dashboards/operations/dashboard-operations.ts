import type { Operation, SchemaCheck } from '../../../http/operation.ts';
import type { DashboardRepository } from '../dashboard-repository.ts';
import type { DashboardService } from '../dashboard-service.ts';
import type { DashboardImportService } from '../import/dashboard-import-service.ts';
import { createDashboard } from './create-dashboard.ts';
import { getDashboardVersion, listDashboardVersions, restoreDashboardVersion } from './dashboard-versions.ts';
import { deleteDashboard } from './delete-dashboard.ts';
import { listDeletedDashboards, restoreDeletedDashboard } from './deleted-dashboards.ts';
import { exportDashboardOperation } from './export-dashboard.ts';
import { getDashboard } from './get-dashboard.ts';
import { importDashboardOperation, previewDashboardImport } from './import-dashboard.ts';
import { listDashboards } from './list-dashboards.ts';
import { updateDashboard } from './update-dashboard.ts';
import { validateDashboard } from './validate-dashboard.ts';

export interface DashboardOperationsDeps {
  service: DashboardService;
  dashboards: DashboardRepository;
  imports: DashboardImportService;
  /** Validates a body by `CreateDashboardSchema`. */
  checkNew: SchemaCheck;
}

/** Every operation on dashboards. */
export function dashboardOperations(deps: DashboardOperationsDeps): Operation[] {
  return [
    listDashboards(deps),
    createDashboard(deps),
    validateDashboard(deps),
    getDashboard(deps),
    updateDashboard(deps),
    deleteDashboard(deps),
    importDashboardOperation(deps),
    previewDashboardImport(deps),
    exportDashboardOperation(deps),
    listDashboardVersions(deps),
    getDashboardVersion(deps),
    restoreDashboardVersion(deps),
    listDeletedDashboards(deps),
    restoreDeletedDashboard(deps),
  ];
}
