import { type RawBuilder, sql } from 'kysely';
import type { OutgoingNotification } from '../evaluator/ports.ts';
import type {
  Attempt,
  AttemptResult,
  ClaimedMessage,
  ClaimRequest,
  LoggedAttempt,
  Outbox,
  ReceiverNews,
  Waiting,
} from '../notify/outbox.ts';
import type { ExecutionError } from '../resources/alerts/alert.ts';
import type { Executor, MetadataDatabase } from './metadata-database.ts';
import { parseDocument } from './stored-document.ts';

export class SqlOutbox implements Outbox {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async claimDue(request: ClaimRequest): Promise<ClaimedMessage[]> {
    // Mostly nothing is due: a read finds that out without a write that would have to reach the disk.
    const nextMs = await this.nextDueMs(request);
    if (nextMs === undefined || nextMs > request.nowMs) return [];
    return this.#database.transaction(async ({ writes, dialect }) => {
      // Senders count what is under way to a receiver one after the other.
      await dialect.lock(writes, 'outbox');
      const rows = await writes
        .updateTable('outbox')
        .set({ claim: request.claim, claim_until_ms: request.claimUntilMs })
        .where('id', 'in', dueIds(writes, request))
        .returning(['sequence', 'webhook_id', 'document', 'attempts', 'next_attempt_ms'])
        .execute();
      const failures = await failuresOf(
        writes,
        rows.map(({ webhook_id }) => webhook_id),
      );
      return rows
        .toSorted((a, b) => a.next_attempt_ms - b.next_attempt_ms || a.sequence - b.sequence)
        .map((row) => ({
          message: parseDocument<OutgoingNotification>(row.document),
          attempts: row.attempts,
          claim: request.claim,
          receiverFailures: failures.get(row.webhook_id) ?? 0,
        }));
    });
  }

  record(
    claimed: ClaimedMessage,
    attempt: Attempt,
    result: AttemptResult,
    receiver?: ReceiverNews & { waiting?: Waiting },
  ): Promise<void> {
    const { webhookId } = claimed.message;
    return this.#database.transaction(async ({ writes }) => {
      await logAttempt(writes, claimed, attempt);
      await moveOn(writes, claimed, result, attempt);
      await noteOnAlert(writes, claimed.message, attempt);
      // That it answers is news of a probe only: one that was under way before it failed says nothing of now.
      if (receiver?.kind === 'answers' && claimed.receiverFailures > 0) {
        await writes.deleteFrom('webhook_receivers').where('webhook_id', '=', webhookId).execute();
      }
      if (receiver?.kind !== 'fails') return;
      await holdReceiver(writes, webhookId, receiver);
      if (receiver.waiting) await giveUpWaiting(writes, webhookId, receiver.waiting);
    });
  }

  async nextDueMs(request: Pick<ClaimRequest, 'nowMs' | 'perWebhookMax'>): Promise<number | undefined> {
    const { reads } = this.#database;
    const row = await reads
      .selectFrom(openHeads(reads, request).as('heads'))
      .select((select) => select.fn.min<number | null>('heads.due_ms').as('due'))
      .whereRef('heads.under_way', '<', 'heads.places')
      .executeTakeFirst();
    return row?.due ?? undefined;
  }

  async endWaitsAfter({ nowMs, claimedUntilMs, waitingUntilMs }: Parameters<Outbox['endWaitsAfter']>[0]) {
    await this.#database.transaction(async ({ writes }) => {
      const open = () => writes.updateTable('outbox').where('status', '=', 'open');
      await open().set({ claim: null, claim_until_ms: 0 }).where('claim_until_ms', '>', claimedUntilMs).execute();
      await open().set({ next_attempt_ms: nowMs }).where('next_attempt_ms', '>', waitingUntilMs).execute();
      await writes
        .updateTable('webhook_receivers')
        .set({ resume_ms: nowMs })
        .where('resume_ms', '>', waitingUntilMs)
        .execute();
    });
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

/** The oldest open message of each event, with what is under way to its webhook and what may be. */
function openHeads(executor: Executor, { nowMs, perWebhookMax }: Pick<ClaimRequest, 'nowMs' | 'perWebhookMax'>) {
  const underWay = executor
    .selectFrom('outbox')
    .select((select) => ['webhook_id', select.fn.countAll<number>().as('count')])
    .where('status', '=', 'open')
    .where('claim_until_ms', '>', nowMs)
    .groupBy('webhook_id');
  const later = (a: RawBuilder<number>, b: RawBuilder<number>) =>
    sql<number>`case when ${a} > ${b} then ${a} else ${b} end`;
  const ownMs = later(sql<number>`outbox.claim_until_ms`, sql<number>`outbox.next_attempt_ms`);
  return executor
    .selectFrom('outbox')
    .leftJoin('webhook_receivers as receivers', 'receivers.webhook_id', 'outbox.webhook_id')
    .leftJoin(underWay.as('busy'), 'busy.webhook_id', 'outbox.webhook_id')
    .select(['outbox.id', 'outbox.webhook_id', 'outbox.next_attempt_ms', 'outbox.sequence', 'outbox.claim_until_ms'])
    .select(later(ownMs, sql<number>`coalesce(receivers.resume_ms, 0)`).as('due_ms'))
    .select(sql<number>`coalesce(busy.count, 0)`.as('under_way'))
    .select(
      sql<number>`case when receivers.failures > 0 then 1 else cast(${perWebhookMax} as integer) end`.as('places'),
    )
    .where('outbox.status', '=', 'open')
    .where('outbox.sequence', 'in', oldestOfEvents(executor));
}

/** Of each webhook as many due messages as it has places for. */
function dueIds(executor: Executor, request: ClaimRequest) {
  const due = executor
    .selectFrom(openHeads(executor, request).as('heads'))
    .selectAll()
    .select(sql<number>`row_number() over (partition by webhook_id order by next_attempt_ms, sequence)`.as('place'))
    .where('heads.due_ms', '<=', request.nowMs);
  return executor
    .selectFrom(due.as('ranked'))
    .select('ranked.id')
    .where(sql<boolean>`ranked.place + ranked.under_way <= ranked.places`)
    .orderBy('ranked.next_attempt_ms')
    .orderBy('ranked.sequence')
    .limit(request.max);
}

async function failuresOf(executor: Executor, webhookIds: readonly string[]): Promise<Map<string, number>> {
  if (webhookIds.length === 0) return new Map();
  const rows = await executor
    .selectFrom('webhook_receivers')
    .select(['webhook_id', 'failures'])
    .where('webhook_id', 'in', [...new Set(webhookIds)])
    .execute();
  return new Map(rows.map(({ webhook_id, failures }) => [webhook_id, failures]));
}

/** Several tries that were under way together count as one failure, and the longest pause holds. */
async function holdReceiver(
  writes: Executor,
  webhookId: string,
  { failures, resumeMs }: Extract<ReceiverNews, { kind: 'fails' }>,
): Promise<void> {
  const larger = (column: string) =>
    sql<number>`case when excluded.${sql.ref(column)} > webhook_receivers.${sql.ref(column)}
      then excluded.${sql.ref(column)} else webhook_receivers.${sql.ref(column)} end`;
  await writes
    .insertInto('webhook_receivers')
    .values({ webhook_id: webhookId, failures, resume_ms: resumeMs })
    .onConflict((conflict) =>
      conflict.column('webhook_id').doUpdateSet({ failures: larger('failures'), resume_ms: larger('resume_ms') }),
    )
    .execute();
}

/** A receiver that is down for long must not fill the store, nor get yesterday's messages when it is back. */
async function giveUpWaiting(writes: Executor, webhookId: string, waiting: Waiting): Promise<void> {
  const newestThatGoes = writes
    .selectFrom('outbox as others')
    .select('others.sequence')
    .where('others.webhook_id', '=', webhookId)
    .where('others.status', '=', 'open')
    .orderBy('others.sequence', 'desc')
    .limit(1)
    .offset(waiting.max);
  await writes
    .updateTable('outbox')
    .set({ status: 'failed', claim: null, claim_until_ms: 0 })
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'open')
    .where('claim_until_ms', '<=', waiting.nowMs)
    .where((row) => row.or([row('created_ms', '<', waiting.createdAfterMs), row('sequence', '<=', newestThatGoes)]))
    .execute();
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

/** A delivery counts from any sender; a failure only from the one that still holds the message. */
async function moveOn(
  writes: Executor,
  claimed: ClaimedMessage,
  result: AttemptResult,
  { atMs, status, error }: Attempt,
): Promise<void> {
  const open = writes
    .updateTable('outbox')
    .where('id', '=', claimed.message.id)
    .where('status', '=', 'open')
    .set({ claim: null, claim_until_ms: 0, attempts: claimed.attempts + 1 })
    .set({ last_at_ms: atMs, last_status: status ?? null, last_error: error ?? null });
  if (result.kind === 'delivered') {
    await open.set({ status: 'delivered' }).execute();
    return;
  }
  const held = open.where('claim', '=', claimed.claim);
  await (result.kind === 'retry'
    ? result.nextAttemptMs === undefined
      ? held
      : held.set({ next_attempt_ms: result.nextAttemptMs })
    : held.set({ status: 'failed' })
  ).execute();
}

/** The entry in the alert's `executionErrors` until a message to the same webhook is delivered. */
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
  // From the state's row, so that an alert that was removed meanwhile is not an error.
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
