import type { AlertSilenced } from '../contract/alert.ts';
import { type Alert, firstWindowEndAfter, scheduleOf } from '../resources/alerts/alert.ts';
import type { DeletedDashboard, UndeletedDashboard } from '../resources/dashboards/dashboard-history.ts';
import { existingWebhooks, insertAlert } from './alert-rows.ts';
import { columnText } from './bound-values.ts';
import type { SavedColumns } from './dashboard-tables.ts';
import type { Executor, MetadataDatabase } from './metadata-database.ts';
import { parseDocument } from './stored-document.ts';

/** An alert as it is kept with its deleted dashboard: without its state, which is over. */
interface KeptAlert {
  alert: Alert;
  silenced: AlertSilenced | null;
}

interface Removed extends SavedColumns {
  name: string;
  document: string;
  version: number;
}

export async function keepDeleted(
  writes: Executor,
  tenantId: string,
  { id, removed, deletion }: { id: string; removed: Removed; deletion: { atMs: number; by: string } },
): Promise<void> {
  const rows = await writes
    .selectFrom('alerts')
    .select(['document', 'silenced'])
    .where('tenant_id', '=', tenantId)
    .where('dashboard_id', '=', id)
    .orderBy('sequence')
    .execute();
  const alerts = rows.map(
    ({ document, silenced }): KeptAlert => ({
      alert: parseDocument<Alert>(document),
      silenced: silenced === null ? null : parseDocument<AlertSilenced>(silenced),
    }),
  );
  await writes
    .insertInto('deleted_dashboards')
    .values({
      id,
      tenant_id: tenantId,
      ...removed,
      alerts: JSON.stringify(alerts),
      alert_count: alerts.length,
      deleted_ms: deletion.atMs,
      deleted_by: columnText(deletion.by),
    })
    .execute();
}

export async function listDeleted(
  reads: Executor,
  tenantId: string,
  page: { limit: number; offset: number },
): Promise<{ dashboards: DeletedDashboard[]; total: number }> {
  const ofTenant = reads.selectFrom('deleted_dashboards').where('tenant_id', '=', tenantId);
  const rows = await ofTenant
    .select(['id', 'name', 'deleted_ms', 'deleted_by', 'alert_count'])
    .orderBy('deleted_ms', 'desc')
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await ofTenant
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return {
    dashboards: rows.map(({ id, name, deleted_ms, deleted_by, alert_count }) => ({
      ...{ id, name, deletedMs: deleted_ms, by: deleted_by, alertCount: alert_count },
    })),
    total,
  };
}

/** Its version is the one that it had: nothing has changed since. */
export async function undelete(
  inside: MetadataDatabase,
  tenantId: string,
  { id, nowMs }: { id: string; nowMs: number },
): Promise<UndeletedDashboard | undefined> {
  const row = await inside.writes
    .deleteFrom('deleted_dashboards')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .returning(['name', 'document', 'version', 'saved_ms', 'saved_by', 'summary', 'alerts'])
    .executeTakeFirst();
  if (!row) return undefined;
  const { alerts, ...dashboard } = row;
  await inside.writes
    .insertInto('dashboards')
    .values({ id, tenant_id: tenantId, ...dashboard })
    .execute();
  const kept = parseDocument<KeptAlert[]>(alerts);
  const restored = await restoreAlerts(inside, tenantId, { kept, nowMs });
  const lost = kept.map(({ alert }) => alert.id).filter((alertId) => !restored.includes(alertId));
  return { json: row.document, version: row.version, restoredAlerts: restored, lostAlerts: lost };
}

/** Ids of those with a webhook that still exists. They begin with the next window, as new alerts do. */
async function restoreAlerts(
  inside: MetadataDatabase,
  tenantId: string,
  { kept, nowMs }: { kept: readonly KeptAlert[]; nowMs: number },
): Promise<string[]> {
  const webhookIds = new Set(kept.flatMap(({ alert }) => alert.channels.map(({ webhookId }) => webhookId)));
  const existing = webhookIds.size === 0 ? new Set() : await existingWebhooks(inside, tenantId, [...webhookIds]);
  const restored: string[] = [];
  for (const { alert, silenced } of kept) {
    const channels = alert.channels.filter(({ webhookId }) => existing.has(webhookId));
    if (channels.length === 0) continue;
    const firstWindowEndMs = firstWindowEndAfter(scheduleOf(alert), nowMs);
    await insertAlert(inside.writes, tenantId, { alert: { ...alert, channels }, firstWindowEndMs, silenced });
    restored.push(alert.id);
  }
  return restored;
}
