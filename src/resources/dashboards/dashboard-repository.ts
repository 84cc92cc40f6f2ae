import type { Dashboard } from './dashboard.ts';
import type { DashboardChange, DashboardHistory, UndeletedDashboard } from './dashboard-history.ts';

export interface StoredDashboard {
  dashboard: Dashboard;
  /** Grows by one on each save; the ETag. */
  version: number;
}

/** What a save writes, and over which version. */
export interface DashboardSave {
  dashboard: Dashboard;
  expectedVersion: number;
  change: DashboardChange;
  /** The dashboard's text, where the caller has made it already. */
  json?: string;
}

/** Inside one transaction. */
export interface DashboardTransaction {
  /** Another tenant's id is not found. */
  find(tenantId: string, id: string): Promise<StoredDashboard | undefined>;
  insert(tenantId: string, dashboard: Dashboard, change: DashboardChange): Promise<void>;
  /**
   * Keeps what was stored as a past version, and removes the oldest of these beyond `versionsKept`. False when the
   * stored version is no longer the expected one; nothing is written then.
   */
  save(tenantId: string, save: DashboardSave): Promise<boolean>;
  /** Keeps it and its alerts among the deleted ones; the alerts themselves stay for `removeAlerts`. False when there was none. */
  remove(tenantId: string, id: string, deletion: { atMs: number; by: string }): Promise<boolean>;
  /**
   * Brings a deleted one back, and its alerts with a new state and the webhooks that still exist. `undefined` when there
   * is none of this id.
   */
  undelete(tenantId: string, id: string, nowMs: number): Promise<UndeletedDashboard | undefined>;
  /** Deletes the alerts of these tiles, or of the whole dashboard, and answers their ids (decisions D9). */
  removeAlerts(tenantId: string, dashboardId: string, tileIds: readonly string[] | 'all'): Promise<string[]>;
}

export interface DashboardRepository extends DashboardHistory {
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
