/** Past versions of dashboards, deleted ones, and favourites. Times are Unix ms, documents JSON text. */
export interface DashboardTables {
  dashboard_versions: DashboardVersionRow;
  deleted_dashboards: DeletedDashboardRow;
  favourites: FavouriteRow;
}

interface FavouriteRow {
  tenant_id: string;
  user_id: string;
  dashboard_id: string;
}

/** Who made a version, when, and what changed; null in versions from before this was kept. */
export interface SavedColumns {
  saved_ms: number | null;
  saved_by: string | null;
  summary: string | null;
}

interface DashboardVersionRow extends SavedColumns {
  tenant_id: string;
  dashboard_id: string;
  version: number;
  document: string;
  replaced_ms: number;
}

interface DeletedDashboardRow extends SavedColumns {
  id: string;
  tenant_id: string;
  name: string;
  document: string;
  version: number;
  /** JSON array of the alerts on its tiles, with their silences. */
  alerts: string;
  alert_count: number;
  deleted_ms: number;
  deleted_by: string;
}
