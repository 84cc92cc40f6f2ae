import type { Dashboard } from './dashboard.ts';
import {
  type DashboardChange,
  type DashboardVersion,
  type DeletedDashboard,
  type UndeletedDashboard,
  versionsKept,
} from './dashboard-history.ts';
import type {
  DashboardRepository,
  DashboardSave,
  DashboardTransaction,
  StoredDashboard,
} from './dashboard-repository.ts';

interface Row {
  tenantId: string;
  json: string;
  version: number;
  change: DashboardChange;
}

interface DeletedRow extends Row {
  deletion: { atMs: number; by: string };
  alerts: AlertRow[];
}

interface AlertRow {
  id: string;
  tenantId: string;
  dashboardId: string;
  tileId: string;
}

/** In memory. Transactions run one after the other and roll back whole. */
export class FakeDashboardRepository implements DashboardRepository {
  rows = new Map<string, Row>();
  /** The alerts that `removeAlerts` takes from. */
  alerts: AlertRow[] = [];
  /** By id of the dashboard, the oldest first. */
  past = new Map<string, Row[]>();
  gone = new Map<string, DeletedRow>();
  /** Successful writes, for tests of "nothing is written". */
  writes = 0;
  #turn: Promise<unknown> = Promise.resolve();

  transaction<T>(work: (transaction: DashboardTransaction) => Promise<T>): Promise<T> {
    const result = this.#turn.then(() => this.#run(work));
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async find(tenantId: string, id: string): Promise<StoredDashboard | undefined> {
    const text = await this.findText(tenantId, id);
    return text && { dashboard: JSON.parse(text.json), version: text.version };
  }

  async findText(tenantId: string, id: string): Promise<{ json: string; version: number } | undefined> {
    const row = this.rows.get(id);
    return row?.tenantId === tenantId ? { json: row.json, version: row.version } : undefined;
  }

  async listTexts(tenantId: string, { limit, offset = 0 }: { limit?: number; offset?: number }): Promise<string[]> {
    const own = [...this.rows.values()].filter((row) => row.tenantId === tenantId);
    return own.slice(offset, limit === undefined ? undefined : offset + limit).map((row) => row.json);
  }

  async *textParts(tenantId: string, page: { limit?: number; offset?: number }): AsyncGenerator<string[], void> {
    for (const text of await this.listTexts(tenantId, page)) yield [text];
  }

  async findByName(tenantId: string, name: string): Promise<StoredDashboard | undefined> {
    for (const id of this.rows.keys()) {
      const stored = await this.find(tenantId, id);
      if (stored?.dashboard.name === name) return stored;
    }
    return undefined;
  }

  async #run<T>(work: (transaction: DashboardTransaction) => Promise<T>): Promise<T> {
    const before = {
      rows: new Map(this.rows),
      past: new Map(this.past),
      gone: new Map(this.gone),
      alerts: [...this.alerts],
      writes: this.writes,
    };
    try {
      return await work(this.#transaction());
    } catch (error) {
      Object.assign(this, before);
      throw error;
    }
  }

  #transaction(): DashboardTransaction {
    return {
      find: (tenantId, id) => this.find(tenantId, id),
      insert: async (tenantId, dashboard, change) => this.#put({ tenantId, dashboard, change, version: 1 }),
      save: async (tenantId, save) => this.#save(tenantId, save),
      remove: async (tenantId, id, deletion) => {
        const row = this.#row(tenantId, id);
        if (!row) return false;
        this.gone.set(id, { ...row, deletion, alerts: this.#alertsOn(tenantId, id, 'all') });
        this.writes += 1;
        return this.rows.delete(id);
      },
      undelete: async (tenantId, id) => this.#undelete(tenantId, id),
      removeAlerts: async (tenantId, dashboardId, tileIds) => {
        const removed = this.#alertsOn(tenantId, dashboardId, tileIds);
        this.alerts = this.alerts.filter((alert) => !removed.includes(alert));
        return removed.map(({ id }) => id);
      },
    };
  }

  async alertsOn(tenantId: string, dashboardId: string, tileIds: readonly string[]): Promise<string[]> {
    return this.#alertsOn(tenantId, dashboardId, tileIds).map(({ id }) => id);
  }

  #alertsOn(tenantId: string, dashboardId: string, tileIds: readonly string[] | 'all'): AlertRow[] {
    return this.alerts.filter(
      (alert) =>
        alert.tenantId === tenantId &&
        alert.dashboardId === dashboardId &&
        (tileIds === 'all' || tileIds.includes(alert.tileId)),
    );
  }

  async versions(tenantId: string, id: string): Promise<DashboardVersion[]> {
    const row = this.#row(tenantId, id);
    return row ? [row, ...(this.past.get(id) ?? []).toReversed()].map(toVersion) : [];
  }

  async version(tenantId: string, id: string, version: number) {
    const row = this.#row(tenantId, id);
    const found = row && [row, ...(this.past.get(id) ?? [])].find((one) => one.version === version);
    return found && { ...toVersion(found), json: found.json };
  }

  async deleted(tenantId: string, { limit, offset }: { limit: number; offset: number }) {
    const own = [...this.gone].filter(([, row]) => row.tenantId === tenantId).reverse();
    return { dashboards: own.slice(offset, offset + limit).map(toDeleted), total: own.length };
  }

  #row(tenantId: string, id: string): Row | undefined {
    const row = this.rows.get(id);
    return row?.tenantId === tenantId ? row : undefined;
  }

  #save(tenantId: string, { dashboard, expectedVersion, change }: DashboardSave): boolean {
    const row = this.#row(tenantId, dashboard.id);
    if (row?.version !== expectedVersion) return false;
    this.past.set(dashboard.id, [...(this.past.get(dashboard.id) ?? []), row].slice(-versionsKept));
    this.#put({ tenantId, dashboard, change, version: expectedVersion + 1 });
    return true;
  }

  #undelete(tenantId: string, id: string): UndeletedDashboard | undefined {
    const row = this.gone.get(id);
    if (row?.tenantId !== tenantId) return undefined;
    const { alerts, deletion: _deletion, ...restored } = row;
    this.gone.delete(id);
    this.rows.set(id, restored);
    this.alerts.push(...alerts);
    this.writes += 1;
    return { json: row.json, version: row.version, restoredAlerts: alerts.map((alert) => alert.id), lostAlerts: [] };
  }

  #put({ dashboard, ...row }: Omit<Row, 'json'> & { dashboard: Dashboard }): void {
    this.writes += 1;
    this.rows.set(dashboard.id, { ...row, json: JSON.stringify(dashboard) });
  }
}

function toVersion({ version, change: { atMs, by, summary } }: Row): DashboardVersion {
  return { version, savedMs: atMs, by, summary };
}

function toDeleted([id, { json, deletion, alerts }]: [string, DeletedRow]): DeletedDashboard {
  return { id, name: JSON.parse(json).name, deletedMs: deletion.atMs, by: deletion.by, alertCount: alerts.length };
}
