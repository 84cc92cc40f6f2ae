import { sql } from 'kysely';
import type { AlertState, HistoryEntry } from '../evaluator/alert-state.ts';
import type { EvaluatedWindow, FarAlert, FarAlerts, MovedAlert } from '../evaluator/clock-set-back.ts';
import type { Alert } from '../resources/alerts/alert.ts';
import { neverMs } from './alert-rows.ts';
import type { MetadataDatabase } from './metadata-database.ts';
import { parseDocument } from './stored-document.ts';
import { type ValuesColumns, valuesTable } from './values-table.ts';

type Request = Parameters<FarAlerts['listFar']>[0];

export class SqlFarAlerts implements FarAlerts {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async listFar({ dueAfterMs, afterId, limit }: Request): Promise<FarAlert[]> {
    const rows = await this.#database.reads
      .selectFrom('alert_states as states')
      .innerJoin('alerts', 'alerts.id', 'states.alert_id')
      .select(['alerts.tenant_id', 'alerts.document'])
      .select(['states.epoch', 'states.next_window_ms', 'states.due_ms', 'states.state'])
      .where('states.due_ms', '>', dueAfterMs)
      .where('states.due_ms', '<', neverMs)
      .where('alerts.id', '>', afterId)
      .orderBy('alerts.id')
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      tenantId: row.tenant_id,
      alert: parseDocument<Alert>(row.document),
      epoch: row.epoch,
      nextWindowEndMs: row.next_window_ms,
      dueMs: row.due_ms,
      state: parseDocument<AlertState>(row.state),
    }));
  }

  async lastWindows({
    alertId,
    endedByMs,
    limit,
  }: Parameters<FarAlerts['lastWindows']>[0]): Promise<EvaluatedWindow[]> {
    const rows = await this.#database.reads
      .selectFrom('alert_history')
      .select('document')
      .where('alert_id', '=', alertId)
      .where('window_end_ms', '<=', endedByMs)
      .orderBy('window_end_ms', 'desc')
      .limit(limit)
      .execute();
    return rows.map(({ document }) => {
      const { windowEndMs, evaluatedAtMs, error } = parseDocument<HistoryEntry>(document);
      return { windowEndMs, evaluatedAtMs, failed: error !== undefined };
    });
  }

  async moveBack(moved: readonly MovedAlert[]): Promise<void> {
    const values = moved.map(({ tenantId, alertId, epoch, nextWindowEndMs, state }) => [
      alertId,
      tenantId,
      epoch,
      nextWindowEndMs,
      state.status,
      JSON.stringify(state),
    ]);
    await this.#database.transaction(async ({ writes, dialect }) => {
      const rows = valuesTable(dialect, movedTypes, values);
      const { rows: done } = await sql<{ alert_id: string }>`
        update alert_states
        set epoch = epoch + 1, next_window_ms = moved_next_ms, due_ms = moved_next_ms, lease_owner = null,
          lease_until_ms = 0, status = moved_status, state = moved_state
        from ${rows} as input
        where alert_id = moved_id and tenant_id = moved_tenant and epoch = moved_epoch
        returning alert_id`.execute(writes);
      const ids = new Set(done.map(({ alert_id }) => alert_id));
      for (const { alertId, nextWindowEndMs } of moved) {
        if (!ids.has(alertId)) continue;
        await writes
          .deleteFrom('alert_history')
          .where('alert_id', '=', alertId)
          .where('window_end_ms', '>=', nextWindowEndMs)
          .execute();
      }
    });
  }

  async endLeasesAfter(untilMs: number): Promise<void> {
    await this.#database.writes
      .updateTable('alert_states')
      .set({ lease_owner: null, lease_until_ms: 0 })
      .where('lease_until_ms', '>', untilMs)
      .execute();
  }
}

const movedTypes: ValuesColumns = {
  moved_id: 'text',
  moved_tenant: 'text',
  moved_epoch: 'bigint',
  moved_next_ms: 'bigint',
  moved_status: 'text',
  moved_state: 'text',
};
