import type { Dashboard } from './dashboard.ts';

export interface StoredDashboard {
  dashboard: Dashboard;
  /** Grows by one on each save; the ETag. */
  version: number;
}

/** Inside one transaction. */
export interface DashboardTransaction {
  /** Another tenant's id is not found. */
  find(tenantId: string, id: string): Promise<StoredDashboard | undefined>;
  insert(tenantId: string, dashboard: Dashboard): Promise<void>;
  /**
   * False when the stored version is no longer `expectedVersion`; nothing is written then. `json` is the dashboard's text
   * where the caller has made it already.
   */
  save(tenantId: string, dashboard: Dashboard, expectedVersion: number, json?: string): Promise<boolean>;
  /** False when there was none. */
  remove(tenantId: string, id: string): Promise<boolean>;
  /** Deletes the alerts of these tiles, or of the whole dashboard, and answers their ids (decisions D9). */
  removeAlerts(tenantId: string, dashboardId: string, tileIds: readonly string[] | 'all'): Promise<string[]>;
}

export interface DashboardRepository {
  /** Commits when `work` resolves, rolls back when it throws. */
  transaction<T>(work: (transaction: DashboardTransaction) => Promise<T>): Promise<T>;
  find(tenantId: string, id: string): Promise<StoredDashboard | undefined>;
  /** The stored JSON text of one dashboard, unparsed, for reads that only pass it on. */
  findText(tenantId: string, id: string): Promise<{ json: string; version: number } | undefined>;
  /** In order of creation; JSON texts. */
  listTexts(tenantId: string, page: { limit?: number; offset?: number }): Promise<string[]>;
  /** The same in parts, none of them empty: all dashboards of a tenant may be more than one process can hold. */
  textParts(tenantId: string, page: { limit?: number; offset?: number }): AsyncGenerator<string[], void>;
  /** Ids of the alerts on these tiles: those that `removeAlerts` would delete. */
  alertsOn(tenantId: string, dashboardId: string, tileIds: readonly string[]): Promise<string[]>;
  /** For matching by name at provisioning. */
  findByName(tenantId: string, name: string): Promise<StoredDashboard | undefined>;
}
