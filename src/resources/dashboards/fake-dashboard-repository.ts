import type { Dashboard } from './dashboard.ts';
import type { DashboardRepository, DashboardTransaction, StoredDashboard } from './dashboard-repository.ts';

interface Row {
  tenantId: string;
  json: string;
  version: number;
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
    const before = { rows: new Map(this.rows), alerts: [...this.alerts], writes: this.writes };
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
      insert: async (tenantId, dashboard) => this.#put(tenantId, dashboard, 1),
      save: async (tenantId, dashboard, expectedVersion) => {
        const stored = await this.findText(tenantId, dashboard.id);
        if (stored?.version !== expectedVersion) return false;
        this.#put(tenantId, dashboard, expectedVersion + 1);
        return true;
      },
      remove: async (tenantId, id) => {
        if (!(await this.findText(tenantId, id))) return false;
        this.writes += 1;
        return this.rows.delete(id);
      },
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

  #put(tenantId: string, dashboard: Dashboard, version: number): void {
    this.writes += 1;
    this.rows.set(dashboard.id, { tenantId, json: JSON.stringify(dashboard), version });
  }
}
