import { sql } from 'kysely';
import type { HistoryEntry } from '../evaluator/alert-state.ts';
import type { OutgoingNotification } from '../evaluator/ports.ts';
import {
  type AlertLog,
  type Delivery,
  type DeliveryReason,
  type DeliveryStanding,
  deliveryId,
  type Evaluation,
  type LogPage,
  neverSentText,
  type ReplayOutcome,
  type ReplayRequest,
  type TrendsRequest,
  type WindowEndRange,
} from '../resources/alerts/alert-log.ts';
import { deliveryToCome, parseDeliveryId, replayOf } from '../resources/alerts/replay.ts';
import { outboxRow } from './alert-evaluation-store.ts';
import { listAlertTrends } from './alert-trends.ts';
import { deliveryState, type OutboxStatus, standingOf } from './delivery-standing.ts';
import type { MetadataDatabase } from './metadata-database.ts';
import { parseDocument } from './stored-document.ts';

interface KeptMessage {
  message: OutgoingNotification;
  standing: DeliveryStanding;
}

export class SqlAlertLog implements AlertLog {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async listDeliveries(tenantId: string, alertId: string, { limit, offset }: LogPage) {
    const { rows } = await sql<DeliveryRow>`
      select entries.*, outbox.status as message_status, outbox.attempts as tries, outbox.document as message,
        outbox.next_attempt_ms, receivers.resume_ms, webhooks.id as webhook
      from (${this.#entries(tenantId, alertId)}) as entries
      left join outbox on outbox.id = entries.message_id
      left join webhook_receivers as receivers on receivers.webhook_id = entries.webhook_id
      left join webhooks on webhooks.id = entries.webhook_id and webhooks.tenant_id = ${tenantId}
      order by entries.at_ms desc, entries.sequence desc
      limit ${limit} offset ${offset}`.execute(this.#database.reads);
    const { rows: counted } = await sql<{ total: number }>`
      select count(*) as total from (${this.#entries(tenantId, alertId)}) as entries`.execute(this.#database.reads);
    return { deliveries: rows.map(toDelivery), total: counted[0]?.total ?? 0 };
  }

  /** Attempts, and messages that were not tried. */
  #entries(tenantId: string, alertId: string) {
    return sql`
      select message_id, webhook_id, attempt, at_ms, duration_ms, status, error, reason, group_parts, notice, sequence
      from delivery_attempts where tenant_id = ${tenantId} and alert_id = ${alertId}
      union all
      select id, webhook_id, 1, created_ms, 0, null, null, null, null, null, sequence
      from outbox where tenant_id = ${tenantId} and alert_id = ${alertId} and attempts = 0`;
  }

  async replay(request: ReplayRequest): Promise<ReplayOutcome> {
    const { tenantId, alertId, messageId, nowMs } = request;
    const named = parseDeliveryId(request.deliveryId);
    if (!named) return { kind: 'missing' };
    return this.#database.transaction(async ({ writes }) => {
      const kept = await writes
        .selectFrom('delivery_attempts as attempts')
        .leftJoin('outbox', 'outbox.id', 'attempts.message_id')
        .leftJoin('webhooks', (join) =>
          join.onRef('webhooks.id', '=', 'attempts.webhook_id').on('webhooks.tenant_id', '=', tenantId),
        )
        .select(['outbox.status', 'outbox.document', 'webhooks.id as webhook'])
        .where('attempts.tenant_id', '=', tenantId)
        .where('attempts.alert_id', '=', alertId)
        .where('attempts.message_id', '=', named.messageId)
        .where('attempts.attempt', '=', named.attempt)
        .executeTakeFirst();
      if (!kept) return { kind: 'missing' };
      if (kept.document === null) return { kind: 'pruned' };
      if (kept.status === 'open') return { kind: 'pending' };
      if (kept.webhook === null) return { kind: 'webhookGone' };
      const replay = replayOf(parseDocument<OutgoingNotification>(kept.document), messageId, nowMs);
      await writes.insertInto('outbox').values(outboxRow(replay)).execute();
      return { kind: 'queued', delivery: deliveryToCome(replay) };
    });
  }

  async listEvaluations(tenantId: string, alertId: string, { limit, offset, ...range }: LogPage & WindowEndRange) {
    const windows = this.#windows(tenantId, alertId, range);
    const rows = await windows
      .select('document')
      .orderBy('window_end_ms', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    const { total } = await windows
      .select((select) => select.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const entries = rows.map(({ document }) => parseDocument<HistoryEntry>(document));
    const messages = await this.#messagesOf(tenantId, alertId, entries);
    const evaluations = entries.map((entry): Evaluation => {
      const own = messages.filter(
        ({ message }) => message.replayOf === undefined && message.notification.window.endMs === entry.windowEndMs,
      );
      return { ...entry, notifications: own.map(toSentMessage) };
    });
    return { evaluations, total };
  }

  listTrends(request: TrendsRequest) {
    return listAlertTrends(this.#database, request);
  }

  #windows(tenantId: string, alertId: string, { startMs = 0, endMs = Number.MAX_SAFE_INTEGER }: WindowEndRange) {
    return this.#database.reads
      .selectFrom('alert_history')
      .where('tenant_id', '=', tenantId)
      .where('alert_id', '=', alertId)
      .where('window_end_ms', '>', startMs)
      .where('window_end_ms', '<=', endMs);
  }

  /** Messages are written with the evaluation, and bear its instant. */
  async #messagesOf(tenantId: string, alertId: string, entries: readonly HistoryEntry[]): Promise<KeptMessage[]> {
    if (entries.length === 0) return [];
    const instants = entries.map(({ evaluatedAtMs }) => evaluatedAtMs);
    const rows = await this.#database.reads
      .selectFrom('outbox')
      .select(['status', 'document', 'attempts', 'last_at_ms', 'last_status', 'last_error'])
      .where('tenant_id', '=', tenantId)
      .where('alert_id', '=', alertId)
      .where('created_ms', '>=', Math.min(...instants))
      .where('created_ms', '<=', Math.max(...instants))
      .orderBy('sequence')
      .execute();
    return rows.map((row) => ({
      message: parseDocument<OutgoingNotification>(row.document),
      standing: standingOf(row),
    }));
  }
}

interface DeliveryRow {
  message_id: string;
  webhook_id: string;
  attempt: number;
  at_ms: number;
  duration_ms: number;
  status: number | null;
  error: string | null;
  reason: string | null;
  group_parts: string | null;
  notice: string | null;
  /** This and the next three are null when the message is no longer kept. */
  message_status: OutboxStatus | null;
  tries: number | null;
  message: string | null;
  next_attempt_ms: number | null;
  /** null when its receiver is well. */
  resume_ms: number | null;
  /** null when there is no such webhook any more. */
  webhook: string | null;
}

function toDelivery(row: DeliveryRow): Delivery {
  const notification = notificationOf(row);
  const isOpen = row.message_status === 'open';
  const error = row.error ?? (row.tries === 0 && row.message_status === 'failed' ? neverSentText : null);
  return {
    id: deliveryId(row.message_id, row.attempt),
    messageId: row.message_id,
    atMs: row.at_ms,
    durationMs: row.duration_ms,
    attempt: row.attempt,
    webhookId: row.webhook_id,
    ...(notification && { notification }),
    ...(row.status !== null && { status: row.status }),
    ...(error !== null && { error }),
    ...(row.notice !== null && { notice: row.notice }),
    // For a message that is no longer kept, only its attempts are known.
    state: row.message_status
      ? deliveryState(row.message_status, row.tries ?? 0)
      : row.error === null
        ? 'delivered'
        : 'given_up',
    ...(isOpen && { nextAttemptMs: Math.max(row.next_attempt_ms ?? 0, row.resume_ms ?? 0) }),
    replayable: row.message_status !== null && !isOpen && row.webhook !== null && (row.tries ?? 0) > 0,
  };
}

/** Attempts from before it was kept with them have it from their message, as long as that is there. */
function notificationOf({ reason, group_parts: parts, message }: DeliveryRow): Delivery['notification'] {
  // Only the outbox writes this column, with these words.
  if (reason !== null && parts !== null) return { reason: reason as DeliveryReason, group: parseDocument(parts) };
  if (message === null) return undefined;
  const { notification, replayOf: replayed } = parseDocument<OutgoingNotification>(message);
  return { reason: replayed === undefined ? notification.reason : 'replay', group: notification.group };
}

function toSentMessage({ message, standing }: KeptMessage): Evaluation['notifications'][number] {
  const { reason, group } = message.notification;
  return { webhookId: message.webhookId, reason, group, ...standing };
}
