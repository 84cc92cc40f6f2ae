import type { AlertState } from '../evaluator/alert-state.ts';
import type { AlertLeases, BulkAlertLeases, LeasedAlert } from '../evaluator/lease.ts';
import type { Alert } from '../resources/alerts/alert.ts';
import { evenChunks } from './even-chunks.ts';
import type { Executor, MetadataDatabase } from './metadata-database.ts';
import { parseDocument } from './stored-document.ts';

/** A power of two. */
const idsPerStatement = 1024;

type Claim = Parameters<AlertLeases['claimDue']>[0];

export class SqlAlertLeases implements AlertLeases, BulkAlertLeases {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async claimDue(claim: Claim): Promise<LeasedAlert[]> {
    // Mostly nothing is due: a read finds that out without a write that would have to reach the disk.
    const nextMs = await this.nextDueMs(claim.nowMs);
    if (nextMs === undefined || nextMs > claim.dueBeforeMs) return [];
    return this.#database.transaction(async ({ writes, dialect }) => {
      const due = dialect.passingOverLocked(
        writes
          .selectFrom('alert_states')
          .select('alert_id')
          .where('due_ms', '<=', claim.dueBeforeMs)
          .where('lease_until_ms', '<=', claim.nowMs)
          .orderBy('due_ms')
          .limit(claim.max),
      );
      const taken = await writes
        .updateTable('alert_states')
        .set({ lease_owner: claim.owner, lease_until_ms: claim.leaseUntilMs })
        .where('alert_id', 'in', due)
        .returning('alert_id')
        .execute();
      return readLeased(
        writes,
        taken.map(({ alert_id }) => alert_id),
      );
    });
  }

  async nextDueMs(nowMs: number): Promise<number | undefined> {
    const row = await this.#database.reads
      .selectFrom('alert_states')
      .select((select) => select.fn.min<number | null>('due_ms').as('due'))
      .where('lease_until_ms', '<=', nowMs)
      .executeTakeFirst();
    return row?.due ?? undefined;
  }

  release(owner: string, tenantId: string, alertId: string): Promise<void> {
    return this.releaseAll(owner, [{ tenantId, alertId }]);
  }

  async releaseAll(owner: string, alerts: readonly { tenantId: string; alertId: string }[]): Promise<void> {
    for (const chunk of evenChunks(alerts, idsPerStatement)) {
      const pairs = chunk.map(({ tenantId, alertId }) => ({ tenant_id: tenantId, alert_id: alertId }));
      await this.#database.writes
        .updateTable('alert_states')
        .set({ lease_owner: null, lease_until_ms: 0 })
        .where('lease_owner', '=', owner)
        .where((row) =>
          row(
            row.refTuple('tenant_id', 'alert_id'),
            'in',
            pairs.map((pair) => row.tuple(pair.tenant_id, pair.alert_id)),
          ),
        )
        .execute();
    }
  }
}

/** In the order in which they are due. */
async function readLeased(executor: Executor, alertIds: readonly string[]): Promise<LeasedAlert[]> {
  const rows = [];
  for (const chunk of evenChunks(alertIds, idsPerStatement)) rows.push(...(await leasedRows(executor, chunk)));
  return rows
    .toSorted((a, b) => a.due_ms - b.due_ms)
    .map((row) => ({
      tenantId: row.tenant_id,
      alert: parseDocument<Alert>(row.document),
      epoch: row.epoch,
      nextWindowEndMs: row.next_window_ms,
      state: parseDocument<AlertState>(row.state),
    }));
}

function leasedRows(executor: Executor, alertIds: readonly string[]) {
  return executor
    .selectFrom('alert_states')
    .innerJoin('alerts', 'alerts.id', 'alert_states.alert_id')
    .select(['alerts.tenant_id', 'alerts.document'])
    .select(['alert_states.epoch', 'alert_states.next_window_ms', 'alert_states.due_ms', 'alert_states.state'])
    .where('alert_states.alert_id', 'in', alertIds)
    .execute();
}
