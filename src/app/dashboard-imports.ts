import { CreateDashboardSchema } from '../contract/dashboard.ts';
import { bodyCheck } from '../http/schema-check.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Repositories } from '../metadata/repositories.ts';
import { DashboardService } from '../resources/dashboards/dashboard-service.ts';
import { DashboardImportService } from '../resources/dashboards/import/dashboard-import-service.ts';
import { knownNames } from '../resources/dashboards/import/known-names.ts';
import { RepositorySourceLookup } from '../resources/dashboards/repository-source-lookup.ts';
import { uncheckedStatements } from '../resources/dashboards/statement-check.ts';

/** Imports and exports without a telemetry store: statements of raw SQL are checked when they run. */
export function dashboardImports(
  repositories: Pick<Repositories, 'dashboards' | 'sources' | 'connections'>,
  ids: Ids,
  clock: Clock,
): DashboardImportService {
  const { dashboards, sources, connections } = repositories;
  return new DashboardImportService({
    names: (tenantId) => knownNames(repositories, tenantId),
    service: new DashboardService({
      dashboards,
      sources: new RepositorySourceLookup(sources, connections),
      statements: uncheckedStatements,
      ids,
      clock,
    }),
    checkNew: bodyCheck(CreateDashboardSchema),
  });
}
