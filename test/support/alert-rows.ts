import type { HistoryEntry } from '../../src/evaluator/alert-state.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import type { OpenStore } from '../../src/metadata/metadata-database.ts';

export interface AlertRowParts {
  tenantId: string;
  dashboardId?: string;
  tileId?: string;
  savedSearchId?: string;
  webhookIds?: readonly string[];
  name?: string;
}

/** Writes the part of an alert that dashboards and webhooks look at; answers its id. */
export async function insertAlertRow({ writes }: OpenStore, parts: AlertRowParts): Promise<string> {
  const id = randomIds.hex24();
  await writes
    .insertInto('alerts')
    .values({
      id,
      tenant_id: parts.tenantId,
      dashboard_id: parts.dashboardId ?? null,
      tile_id: parts.tileId ?? null,
      saved_search_id: parts.savedSearchId ?? null,
      document: JSON.stringify({ name: parts.name }),
      version: 1,
      created_at: 0,
      updated_at: 0,
    })
    .execute();
  for (const webhookId of parts.webhookIds ?? []) {
    const channel = { tenant_id: parts.tenantId, alert_id: id, webhook_id: webhookId };
    await writes.insertInto('alert_channels').values(channel).execute();
  }
  return id;
}

export async function alertRowIds({ reads }: OpenStore, tenantId: string): Promise<string[]> {
  const rows = await reads
    .selectFrom('alerts')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .orderBy('sequence')
    .execute();
  return rows.map((row) => row.id);
}

/** Windows that an alert has evaluated, as if it had been there for so long. */
export async function insertHistoryRows(
  { reads, writes }: OpenStore,
  alertId: string,
  entries: readonly HistoryEntry[],
): Promise<void> {
  const { tenant_id } = await reads
    .selectFrom('alerts')
    .select('tenant_id')
    .where('id', '=', alertId)
    .executeTakeFirstOrThrow();
  const rows = entries.map((entry) => ({
    ...{ alert_id: alertId, tenant_id, window_end_ms: entry.windowEndMs },
    document: JSON.stringify(entry),
  }));
  await writes.insertInto('alert_history').values(rows).execute();
}
