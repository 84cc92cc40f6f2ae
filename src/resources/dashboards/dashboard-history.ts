/** Who makes a version, when, and what changes in words. */
export interface DashboardChange {
  atMs: number;
  /** Id of the user, or of the key if it belongs to no user; or a word for what is no person (`provisioning`). */
  by: string;
  summary: string;
}

/** For how long a deleted dashboard can be brought back. */
export const deletedKeptMs = 30 * 24 * 60 * 60_000;

/** How long ago the oldest past version may have been replaced. */
export const versionsKeptMs = 90 * 24 * 60 * 60_000;

/** Past versions of a dashboard that are kept; older ones go with each save. */
export const versionsKept = 50;

/** One version of a dashboard; what is absent was not kept when it was saved. */
export interface DashboardVersion {
  version: number;
  savedMs?: number;
  by?: string;
  summary?: string;
}

export interface DeletedDashboard {
  id: string;
  name: string;
  deletedMs: number;
  by: string;
  /** On its tiles. */
  alertCount: number;
}

/** A dashboard that is back as it was, and what became of its alerts. */
export interface UndeletedDashboard {
  json: string;
  version: number;
  restoredAlerts: string[];
  /** Ids of those that stay away: none of their webhooks exists any more. */
  lostAlerts: string[];
}

/** What dashboards were. */
export interface DashboardHistory {
  /** The present version and those before it, the newest first; empty when there is no such dashboard. */
  versions(tenantId: string, id: string): Promise<DashboardVersion[]>;
  /** One of them with its JSON text. */
  version(tenantId: string, id: string, version: number): Promise<(DashboardVersion & { json: string }) | undefined>;
  /** The last deleted first. */
  deleted(
    tenantId: string,
    page: { limit: number; offset: number },
  ): Promise<{ dashboards: DeletedDashboard[]; total: number }>;
}
