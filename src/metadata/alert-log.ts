import type { HistoryEntry } from '../evaluator/alert-state.ts';
import type { OutgoingNotification } from '../evaluator/ports.ts';
import {
  type AlertLog,
  type Delivery,
  type DeliveryReason,
  type DeliveryState,
  deliveryId,
  type Evaluation,
  type LogPage,
  type ReplayOutcome,
  type ReplayRequest,
} from '../resources/alerts/alert-log.ts';
import { deliveryToCome, parseDeliveryId, replayOf } from '../resources/alerts/replay.ts';
import { outboxRow } from './alert-evaluation-store.ts';
import type { MetadataDatabase } from './metadata-database.ts';
import { parseDocument } from './stored-document.ts';

interface KeptMessage {
  message: OutgoingNotification;
  state: DeliveryState;
}

export class SqlAlertLog implements AlertLog {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async listDeliveries(tenantId: string, alertId: string, { limit, offset }: LogPage) {
    const rows = await this.#database.reads
      .selectFrom('delivery_attempts as attempts')
      .leftJoin('outbox', 'outbox.id', 'attempts.message_id')
      .select(['attempts.message_id', 'attempts.webhook_id', 'attempts.attempt', 'attempts.at_ms'])
      .select(['attempts.duration_ms', 'attempts.status', 'attempts.error'])
      .select(['attempts.reason', 'attempts.group_parts', 'attempts.notice'])
      .select(['outbox.status as message_status', 'outbox.document as message'])
      .where('attempts.tenant_id', '=', tenantId)
      .where('attempts.alert_id', '=', alertId)
      .orderBy('attempts.sequence', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    return { deliveries: rows.map(toDelivery), total: await this.#count('delivery_attempts', tenantId, alertId) };
  }

  async replay(request: ReplayRequest): Promise<ReplayOutcome> {
    const { tenantId, alertId, messageId, nowMs } = request;
    const named = parseDeliveryId(request.deliveryId);
    if (!named) return { kind: 'missing' };
    return this.#database.transaction(async ({ writes }) => {
      const kept = await writes
        .selectFrom('delivery_attempts as attempts')
        .leftJoin('outbox', 'outbox.id', 'attempts.message_id')
        .select(['outbox.status', 'outbox.document'])
        .where('attempts.tenant_id', '=', tenantId)
        .where('attempts.alert_id', '=', alertId)
        .where('attempts.message_id', '=', named.messageId)
        .where('attempts.attempt', '=', named.attempt)
        .executeTakeFirst();
      if (!kept) return { kind: 'missing' };
      if (kept.document === null) return { kind: 'pruned' };
      if (kept.status === 'open') return { kind: 'pending' };
      const replay = replayOf(parseDocument<OutgoingNotification>(kept.document), messageId, nowMs);
      await writes.insertInto('outbox').values(outboxRow(replay)).execute();
      return { kind: 'queued', delivery: deliveryToCome(replay) };
    });
  }

  async listEvaluations(tenantId: string, alertId: string, { limit, offset }: LogPage) {
    const rows = await this.#database.reads
      .selectFrom('alert_history')
      .select('document')
      .where('tenant_id', '=', tenantId)
      .where('alert_id', '=', alertId)
      .orderBy('window_end_ms', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    const entries = rows.map(({ document }) => parseDocument<HistoryEntry>(document));
    const messages = await this.#messagesOf(tenantId, alertId, entries);
    const evaluations = entries.map((entry): Evaluation => {
      const own = messages.filter(
        ({ message }) => message.replayOf === undefined && message.notification.window.endMs === entry.windowEndMs,
      );
      return { ...entry, notifications: own.map(toTold) };
    });
    return { evaluations, total: await this.#count('alert_history', tenantId, alertId) };
  }

  /** Messages are written with the judgement, and bear its instant. */
  async #messagesOf(tenantId: string, alertId: string, entries: readonly HistoryEntry[]): Promise<KeptMessage[]> {
    if (entries.length === 0) return [];
    const instants = entries.map(({ judgedAtMs }) => judgedAtMs);
    const rows = await this.#database.reads
      .selectFrom('outbox')
      .select(['status', 'document'])
      .where('tenant_id', '=', tenantId)
      .where('alert_id', '=', alertId)
      .where('created_ms', '>=', Math.min(...instants))
      .where('created_ms', '<=', Math.max(...instants))
      .orderBy('sequence')
      .execute();
    return rows.map(({ status, document }) => ({
      message: parseDocument<OutgoingNotification>(document),
      state: deliveryState(status),
    }));
  }

  async #count(table: 'delivery_attempts' | 'alert_history', tenantId: string, alertId: string): Promise<number> {
    const { total } = await this.#database.reads
      .selectFrom(table)
      .select((select) => select.fn.countAll<number>().as('total'))
      .where('tenant_id', '=', tenantId)
      .where('alert_id', '=', alertId)
      .executeTakeFirstOrThrow();
    return total;
  }
}

interface AttemptRow {
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
  message_status: 'open' | 'delivered' | 'failed' | null;
  message: string | null;
}

function toDelivery(row: AttemptRow): Delivery {
  const told = toldBy(row);
  return {
    id: deliveryId(row.message_id, row.attempt),
    messageId: row.message_id,
    atMs: row.at_ms,
    durationMs: row.duration_ms,
    attempt: row.attempt,
    webhookId: row.webhook_id,
    ...(told && { told }),
    ...(row.status !== null && { status: row.status }),
    ...(row.error !== null && { error: row.error }),
    ...(row.notice !== null && { notice: row.notice }),
    // Of a message that is no longer kept only its attempts can tell.
    state: row.message_status ? deliveryState(row.message_status) : row.error === null ? 'delivered' : 'failed',
  };
}

/** Attempts from before it was kept with them have it from their message, as long as that is there. */
function toldBy({ reason, group_parts: parts, message }: AttemptRow): Delivery['told'] {
  // Only the outbox writes this column, with these words.
  if (reason !== null && parts !== null) return { reason: reason as DeliveryReason, group: parseDocument(parts) };
  if (message === null) return undefined;
  const { notification } = parseDocument<OutgoingNotification>(message);
  return { reason: notification.reason, group: notification.group };
}

function toTold({ message, state }: KeptMessage): Evaluation['notifications'][number] {
  const { reason, group } = message.notification;
  return { webhookId: message.webhookId, reason, group, state };
}

function deliveryState(status: 'open' | 'delivered' | 'failed'): DeliveryState {
  return status === 'open' ? 'pending' : status;
}
