import { sql } from 'kysely';
import type { AlertState } from '../evaluator/alert-state.ts';
import type { AlertLeases, BulkAlertLeases, LeasedAlert } from '../evaluator/lease.ts';
import type { Alert } from '../resources/alerts/alert.ts';
import type { MetadataDatabase } from './metadata-database.ts';
import { parseDocument } from './stored-document.ts';
import { type ValuesColumns, valuesTable } from './values-table.ts';

type Claim = Parameters<AlertLeases['claimDue']>[0];

export class SqlAlertLeases implements AlertLeases, BulkAlertLeases {
  readonly #database: MetadataDatabase;
  readonly #alertsPerTransaction: number;

  /** The embedded store works in this process: between transactions other requests get their turn. */
  constructor(database: MetadataDatabase, alertsPerTransaction = 2_000) {
    this.#database = database;
    this.#alertsPerTransaction = alertsPerTransaction;
  }

  async claimDue(claim: Claim): Promise<LeasedAlert[]> {
    const claimed: LeasedAlert[] = [];
    while (claimed.length < claim.max) {
      const max = Math.min(claim.max - claimed.length, this.#alertsPerTransaction);
      const part = await this.#claimPart({ ...claim, max });
      claimed.push(...part);
      if (part.length < max) break;
    }
    return claimed;
  }

  async #claimPart(claim: Claim): Promise<LeasedAlert[]> {
    // Mostly nothing is due: a read finds that out without a write that would have to reach the disk.
    const nextMs = await this.nextDueMs(claim.nowMs);
    if (nextMs === undefined || nextMs > claim.dueBeforeMs) return [];
    return this.#database.transaction(async (inside) => {
      const { writes, dialect } = inside;
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
        inside,
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
    const { writes, dialect } = this.#database;
    const values = alerts.map(({ tenantId, alertId }) => [tenantId, alertId]);
    await sql`
      update alert_states set lease_owner = null, lease_until_ms = 0
      where lease_owner = ${owner}
        and (tenant_id, alert_id) in (select tenant_id, alert_id from ${valuesTable(dialect, leaseTypes, values)} as input)
    `.execute(writes);
  }
}

const leaseTypes: ValuesColumns = { tenant_id: 'text', alert_id: 'text' };

/** In the order in which they are due. */
async function readLeased({ writes, dialect }: MetadataDatabase, alertIds: readonly string[]): Promise<LeasedAlert[]> {
  const values = alertIds.map((id) => [id]);
  const rows = await writes
    .selectFrom('alert_states')
    .innerJoin('alerts', 'alerts.id', 'alert_states.alert_id')
    .select(['alerts.tenant_id', 'alerts.document'])
    .select(['alert_states.epoch', 'alert_states.next_window_ms', 'alert_states.due_ms', 'alert_states.state'])
    .where(sql<boolean>`alert_states.alert_id in ${valuesTable(dialect, { alert_id: 'text' }, values)}`)
    .execute();
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
