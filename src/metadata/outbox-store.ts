import { type ExpressionBuilder, sql } from 'kysely';
import type { OutgoingNotification } from '../evaluator/ports.ts';
import {
  type Attempt,
  type AttemptResult,
  busyWebhooks,
  type ClaimedMessage,
  type LoggedAttempt,
  type Outbox,
} from '../notify/outbox.ts';
import type { ExecutionError } from '../resources/alerts/alert.ts';
import type { Executor, MetadataDatabase } from './metadata-database.ts';
import { parseDocument } from './stored-document.ts';

type Request = Parameters<Outbox['claimDue']>[0];

export class SqlOutbox implements Outbox {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async claimDue(request: Request): Promise<ClaimedMessage[]> {
    // Mostly nothing is due: a read finds that out without a write that would have to reach the disk.
    const nextMs = await this.nextDueMs(busyWebhooks(request.underWay, request.perWebhookMax));
    if (nextMs === undefined || nextMs > request.nowMs) return [];
    return this.#database.transaction(async ({ writes, dialect }) => {
      const due = dialect.passingOverLocked(
        writes
          .selectFrom('outbox')
          .select('id')
          .where('id', 'in', dueIds(writes, request))
          .where('status', '=', 'open')
          .where('claim_until_ms', '<=', request.nowMs)
          .orderBy('next_attempt_ms')
          .limit(request.max),
      );
      const rows = await writes
        .updateTable('outbox')
        .set({ claim: request.claim, claim_until_ms: request.claimUntilMs })
        .where('id', 'in', due)
        .returning(['document', 'attempts', 'next_attempt_ms'])
        .execute();
      return rows
        .toSorted((a, b) => a.next_attempt_ms - b.next_attempt_ms)
        .map((row) => ({
          message: parseDocument<OutgoingNotification>(row.document),
          attempts: row.attempts,
          claim: request.claim,
        }));
    });
  }

  record(claimed: ClaimedMessage, attempt: Attempt, result: AttemptResult): Promise<void> {
    return this.#database.transaction(async ({ writes }) => {
      await logAttempt(writes, claimed, attempt);
      await moveOn(writes, claimed, result);
      await noteOnAlert(writes, claimed.message, attempt);
    });
  }

  async nextDueMs(busy: readonly string[]): Promise<number | undefined> {
    const { reads } = this.#database;
    const later = sql<number>`case when claim_until_ms > next_attempt_ms then claim_until_ms else next_attempt_ms end`;
    let open = reads
      .selectFrom('outbox')
      .select((select) => select.fn.min<number | null>(later).as('due'))
      .where('status', '=', 'open')
      .where('sequence', 'in', oldestOfEvents(reads));
    if (busy.length > 0) open = open.where('webhook_id', 'not in', busy);
    const row = await open.executeTakeFirst();
    return row?.due ?? undefined;
  }

  async listAttempts(tenantId: string, alertId: string, limit: number): Promise<LoggedAttempt[]> {
    const rows = await this.#database.reads
      .selectFrom('delivery_attempts')
      .select(['message_id', 'attempt', 'at_ms', 'duration_ms', 'status', 'error', 'notice'])
      .where('tenant_id', '=', tenantId)
      .where('alert_id', '=', alertId)
      .orderBy('sequence', 'desc')
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      messageId: row.message_id,
      attempt: row.attempt,
      atMs: row.at_ms,
      durationMs: row.duration_ms,
      ...(row.status !== null && { status: row.status }),
      ...(row.error !== null && { error: row.error }),
      ...(row.notice !== null && { notice: row.notice }),
    }));
  }
}

/** The only message of each event that may go: the others wait behind it. */
function oldestOfEvents(executor: Executor) {
  return executor
    .selectFrom('outbox')
    .select((select) => select.fn.min('sequence').as('sequence'))
    .where('status', '=', 'open')
    .groupBy(['webhook_id', 'event_id']);
}

/** Due messages, the oldest open one of each event, and of each webhook as many as it has room for. */
function dueIds(executor: Executor, request: Request) {
  const { nowMs, perWebhookMax, underWay } = request;
  const busy = busyWebhooks(underWay, perWebhookMax);
  let due = executor
    .selectFrom('outbox')
    .select([
      'id',
      'webhook_id',
      sql<number>`row_number() over (partition by webhook_id order by next_attempt_ms, sequence)`.as('place'),
    ])
    .where('status', '=', 'open')
    .where('next_attempt_ms', '<=', nowMs)
    .where('claim_until_ms', '<=', nowMs)
    .where('sequence', 'in', oldestOfEvents(executor));
  if (busy.length > 0) due = due.where('webhook_id', 'not in', busy);
  const ranked = executor.selectFrom(due.as('ranked')).select('ranked.id').where('ranked.place', '<=', perWebhookMax);
  const partlyBusy = [...underWay].filter(([, count]) => count < perWebhookMax);
  return partlyBusy.length === 0 ? ranked : ranked.where((row) => row.or(roomOf(row, partlyBusy, perWebhookMax)));
}

/** One condition per number of messages under way: the depth of a statement is limited. */
function roomOf(
  row: ExpressionBuilder<{ ranked: { webhook_id: string; place: number } }, 'ranked'>,
  partlyBusy: readonly [webhookId: string, count: number][],
  perWebhookMax: number,
) {
  const idle = row(
    'ranked.webhook_id',
    'not in',
    partlyBusy.map(([webhookId]) => webhookId),
  );
  const counts = new Set(partlyBusy.map(([, count]) => count));
  const busy = [...counts].map((count) => {
    const ids = partlyBusy.filter(([, each]) => each === count).map(([webhookId]) => webhookId);
    return row.and([row('ranked.webhook_id', 'in', ids), row('ranked.place', '<=', perWebhookMax - count)]);
  });
  return [idle, ...busy];
}

async function logAttempt(writes: Executor, { message, attempts }: ClaimedMessage, attempt: Attempt): Promise<void> {
  await writes
    .insertInto('delivery_attempts')
    .values({
      message_id: message.id,
      tenant_id: message.tenantId,
      alert_id: message.notification.alert.id,
      webhook_id: message.webhookId,
      attempt: attempts + 1,
      at_ms: attempt.atMs,
      duration_ms: attempt.durationMs,
      status: attempt.status ?? null,
      error: attempt.error ?? null,
      reason: message.replayOf === undefined ? message.notification.reason : 'replay',
      group_parts: JSON.stringify(message.notification.group),
      notice: attempt.notice ?? null,
    })
    .execute();
}

/** A delivery counts whoever made it; a failure only from the sender that still holds the message. */
async function moveOn(writes: Executor, claimed: ClaimedMessage, result: AttemptResult): Promise<void> {
  const open = writes
    .updateTable('outbox')
    .where('id', '=', claimed.message.id)
    .where('status', '=', 'open')
    .set({ claim: null, claim_until_ms: 0, attempts: claimed.attempts + 1 });
  if (result.kind === 'delivered') {
    await open.set({ status: 'delivered' }).execute();
    return;
  }
  const held = open.where('claim', '=', claimed.claim);
  await (result.kind === 'retry'
    ? held.set({ next_attempt_ms: result.nextAttemptMs })
    : held.set({ status: 'failed' })
  ).execute();
}

/** What stands in the alert's `executionErrors` until a message to the same webhook gets through. */
async function noteOnAlert(writes: Executor, message: OutgoingNotification, attempt: Attempt): Promise<void> {
  const alertId = message.notification.alert.id;
  if (attempt.error === undefined) {
    await writes
      .deleteFrom('alert_delivery_errors')
      .where('alert_id', '=', alertId)
      .where('webhook_id', '=', message.webhookId)
      .execute();
    return;
  }
  const error: ExecutionError = {
    timestamp: new Date(attempt.atMs).toISOString(),
    type: 'WEBHOOK_ERROR',
    message: attempt.error,
  };
  const document = JSON.stringify(error);
  // From the state's row, so that an alert that was removed meanwhile is no error.
  await writes
    .insertInto('alert_delivery_errors')
    .columns(['alert_id', 'webhook_id', 'document'])
    .expression((select) =>
      select
        .selectFrom('alert_states')
        .select([
          'alert_id',
          sql<string>`cast(${message.webhookId} as text)`.as('webhook_id'),
          sql<string>`cast(${document} as text)`.as('document'),
        ])
        .where('alert_id', '=', alertId),
    )
    .onConflict((conflict) => conflict.columns(['alert_id', 'webhook_id']).doUpdateSet({ document }))
    .execute();
}
