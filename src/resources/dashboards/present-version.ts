import type {
  DashboardVersionRecord,
  DeletedDashboardRecord,
  PastDashboardRecord,
} from '../../contract/dashboard-version.ts';
import { type DashboardVersion, type DeletedDashboard, deletedKeptMs } from './dashboard-history.ts';
import type { PastDashboard } from './dashboard-service.ts';

export function presentVersion({ version, savedMs, by, summary }: DashboardVersion): DashboardVersionRecord {
  return {
    version,
    ...(savedMs !== undefined && { savedAt: new Date(savedMs).toISOString() }),
    ...(by !== undefined && { by }),
    ...(summary !== undefined && { summary }),
  };
}

export function presentPast({ dashboard, deletedAlerts, ...version }: PastDashboard): PastDashboardRecord {
  return { ...presentVersion(version), dashboard, deletedAlerts };
}

export function presentDeleted({ id, name, deletedMs, by, alertCount }: DeletedDashboard): DeletedDashboardRecord {
  return {
    ...{ id, name, by, alertCount },
    deletedAt: new Date(deletedMs).toISOString(),
    keptUntil: new Date(deletedMs + deletedKeptMs).toISOString(),
  };
}
