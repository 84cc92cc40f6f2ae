import { type RawBuilder, sql } from 'kysely';
import type { Alert } from '../resources/alerts/alert.ts';
import type { AlertTrend, EvaluatedWindow, TrendsRequest } from '../resources/alerts/alert-log.ts';
import { type StandingColumns, standingOf } from './delivery-standing.ts';
import type { MetadataDatabase } from './metadata-database.ts';
import type { StoreDialect } from './store-dialect.ts';
import { parseDocument } from './stored-document.ts';
import { valuesTable } from './values-table.ts';

interface AlertRow {
  document: string;
  /** Documents with commas between them, newest first; null if there are none. */
  windows: string | null;
}

interface MessageRow extends StandingColumns {
  alert_id: string;
  webhook_id: string;
}

export async function listAlertTrends(
  { reads, dialect }: Pick<MetadataDatabase, 'reads' | 'dialect'>,
  request: TrendsRequest,
): Promise<AlertTrend[]> {
  const { rows } = await newestWindows(dialect, request).execute(reads);
  const { rows: messages } = await newestMessages(dialect, request).execute(reads);
  return rows.map((row) => {
    const alert = parseDocument<Alert>(row.document);
    const own = messages.filter(({ alert_id }) => alert_id === alert.id);
    return {
      alert,
      windows: parseDocument<EvaluatedWindow[]>(`[${row.windows ?? ''}]`).reverse(),
      notifications: own.map((message) => ({ webhookId: message.webhook_id, ...standingOf(message) })),
    };
  });
}

/**
 * One limited read per alert, in one statement. As the value of a column it can only be executed that way: of a join, a
 * store might decide to read the whole history.
 */
export function newestWindows(
  dialect: StoreDialect,
  { tenantId, alertIds, windowsMax, charactersMax }: TrendsRequest,
): RawBuilder<AlertRow> {
  return sql<AlertRow>`
    select alerts.document, (
      select string_agg(document, ',' order by window_end_ms desc) from (
        select document, window_end_ms, sum(length(document)) over (order by window_end_ms desc) as characters
        from (
          select document, window_end_ms from alert_history
          where alert_id = alerts.id and tenant_id = alerts.tenant_id
          order by window_end_ms desc limit ${windowsMax}
        ) as newest
      ) as measured
      where characters - length(document) < ${charactersMax}
    ) as windows
    from alerts
    where tenant_id = ${tenantId} and id in ${idsTable(dialect, alertIds)}
    order by sequence`;
}

/** Of each channel; the index of the messages of an alert leads to it from the newest on. */
export function newestMessages(dialect: StoreDialect, { tenantId, alertIds }: TrendsRequest): RawBuilder<MessageRow> {
  const newest = (condition: RawBuilder<unknown>) => sql`(
    select sequence from outbox
    where tenant_id = channels.tenant_id and alert_id = channels.alert_id and webhook_id = channels.webhook_id
      and ${condition}
    order by created_ms desc, sequence desc limit 1)`;
  return sql<MessageRow>`
    select named.alert_id, named.webhook_id, status, attempts, last_at_ms, last_status, last_error
    from (
      select channels.alert_id, channels.webhook_id,
        coalesce(${newest(sql`(attempts > 0 or status <> 'open')`)}, ${newest(sql`true`)}) as message
      from alert_channels as channels
      where tenant_id = ${tenantId} and alert_id in ${idsTable(dialect, alertIds)}
    ) as named
    inner join outbox on outbox.sequence = named.message
    order by named.alert_id, named.webhook_id`;
}

function idsTable(dialect: StoreDialect, alertIds: readonly string[]): RawBuilder<unknown> {
  return valuesTable(
    dialect,
    { id: 'text' },
    alertIds.map((id) => [id]),
  );
}
