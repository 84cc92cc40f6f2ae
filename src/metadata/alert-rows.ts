import type { AlertSilenced } from '../contract/alert.ts';
import { freshState } from '../evaluator/alert-state.ts';
import { type Alert, isEnabled } from '../resources/alerts/alert.ts';
import type { Executor, MetadataDatabase } from './metadata-database.ts';
import { lockReferences } from './reference-lock.ts';

/** Of alerts that are switched off: the last instant that a date can hold. */
export const neverMs = 8_640_000_000_000_000;

export interface NewAlertRow {
  alert: Alert;
  firstWindowEndMs: number;
  silenced?: AlertSilenced | null;
}

/** The alert, its channels and its new state. */
export async function insertAlert(
  writes: Executor,
  tenantId: string,
  { alert, firstWindowEndMs, silenced = null }: NewAlertRow,
): Promise<void> {
  await writes
    .insertInto('alerts')
    .values({
      id: alert.id,
      tenant_id: tenantId,
      ...watchedColumns(alert),
      document: JSON.stringify(alert),
      silenced: silenced && JSON.stringify(silenced),
      version: 1,
      created_at: Date.parse(alert.createdAt),
      updated_at: Date.parse(alert.updatedAt),
    })
    .execute();
  await insertChannels(writes, tenantId, alert);
  await writes
    .insertInto('alert_states')
    .values({
      alert_id: alert.id,
      tenant_id: tenantId,
      epoch: 1,
      next_window_ms: firstWindowEndMs,
      due_ms: isEnabled(alert) ? firstWindowEndMs : neverMs,
      lease_owner: null,
      lease_until_ms: 0,
      status: isEnabled(alert) ? freshState.status : 'DISABLED',
      state: JSON.stringify(freshState),
      errors: null,
    })
    .execute();
}

export async function insertChannels(writes: Executor, tenantId: string, alert: Alert): Promise<void> {
  const rows = alert.channels.map(({ webhookId }) => ({
    tenant_id: tenantId,
    alert_id: alert.id,
    webhook_id: webhookId,
  }));
  await writes.insertInto('alert_channels').values(rows).execute();
}

export function watchedColumns({ dashboardId, tileId, savedSearchId }: Alert) {
  return { dashboard_id: dashboardId ?? null, tile_id: tileId ?? null, saved_search_id: savedSearchId ?? null };
}

/** Which of these webhooks there are; none of them goes before the transaction ends. */
export async function existingWebhooks(
  inside: MetadataDatabase,
  tenantId: string,
  webhookIds: readonly string[],
): Promise<Set<string>> {
  await lockReferences(inside, 'webhooks', tenantId);
  const rows = await inside.writes
    .selectFrom('webhooks')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', webhookIds)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
