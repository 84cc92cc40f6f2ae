import type { HistoryEntry } from '../evaluator/alert-state.ts';
import type { EvaluationStore, FailedEvaluation, Judgement } from '../evaluator/evaluation-store.ts';
import type { OutgoingNotification } from '../evaluator/ports.ts';
import type { Executor, MetadataDatabase } from './metadata-database.ts';
import { parseDocument } from './stored-document.ts';

/** Rows per statement: both stores limit the number of parameters. */
const insertRowsMax = 500;

export class SqlEvaluationStore implements EvaluationStore {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  commit(judgement: Judgement): Promise<'committed' | 'superseded'> {
    return this.#database.transaction(async ({ writes }) => {
      const moved = await updateUnjudged(writes, judgement, {
        next_window_ms: judgement.followingWindowEndMs,
        due_ms: judgement.followingWindowEndMs,
        lease_until_ms: judgement.leaseUntilMs,
        status: judgement.state.status,
        state: JSON.stringify(judgement.state),
        errors: JSON.stringify(judgement.errors),
      });
      if (!moved) return 'superseded';
      await writeHistory(writes, judgement.tenantId, judgement.alertId, judgement.history);
      await writeOutbox(writes, judgement.notifications);
      return 'committed';
    });
  }

  recordFailure(failure: FailedEvaluation): Promise<'committed' | 'superseded'> {
    return this.#database.transaction(async ({ writes }) => {
      const noted = await updateUnjudged(writes, failure, {
        due_ms: failure.retryDueMs,
        errors: JSON.stringify(failure.errors),
      });
      if (!noted) return 'superseded';
      await writeHistory(writes, failure.tenantId, failure.alertId, failure.history);
      return 'committed';
    });
  }

  async listHistory(tenantId: string, alertId: string, limit: number): Promise<HistoryEntry[]> {
    const rows = await this.#database.reads
      .selectFrom('alert_history')
      .select('document')
      .where('tenant_id', '=', tenantId)
      .where('alert_id', '=', alertId)
      .orderBy('window_end_ms', 'desc')
      .limit(limit)
      .execute();
    return rows.map(({ document }) => parseDocument<HistoryEntry>(document));
  }
}

type Expected = Pick<Judgement, 'tenantId' | 'alertId' | 'epoch' | 'nextWindowEndMs'>;

interface StateColumns {
  next_window_ms?: number;
  due_ms: number;
  lease_until_ms?: number;
  status?: string;
  state?: string;
  errors: string;
}

/** Compare and set: false when the window has been judged or the alert has changed meanwhile. */
async function updateUnjudged(writes: Executor, expected: Expected, columns: StateColumns): Promise<boolean> {
  const result = await writes
    .updateTable('alert_states')
    .set(columns)
    .where('tenant_id', '=', expected.tenantId)
    .where('alert_id', '=', expected.alertId)
    .where('epoch', '=', expected.epoch)
    .where('next_window_ms', '=', expected.nextWindowEndMs)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** The row of a failed window is replaced when the window is judged after all. */
async function writeHistory(writes: Executor, tenantId: string, alertId: string, entry: HistoryEntry): Promise<void> {
  const document = JSON.stringify(entry);
  await writes
    .insertInto('alert_history')
    .values({ alert_id: alertId, tenant_id: tenantId, window_end_ms: entry.windowEndMs, document })
    .onConflict((conflict) => conflict.columns(['alert_id', 'window_end_ms']).doUpdateSet({ document }))
    .execute();
}

async function writeOutbox(writes: Executor, messages: readonly OutgoingNotification[]): Promise<void> {
  for (let from = 0; from < messages.length; from += insertRowsMax) {
    await writes
      .insertInto('outbox')
      .values(messages.slice(from, from + insertRowsMax).map(outboxRow))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  }
}

/** A message that is due at once. */
export function outboxRow(message: OutgoingNotification) {
  return {
    id: message.id,
    tenant_id: message.tenantId,
    alert_id: message.notification.alert.id,
    webhook_id: message.webhookId,
    event_id: message.eventId,
    status: 'open' as const,
    created_ms: message.createdAtMs,
    next_attempt_ms: message.createdAtMs,
    attempts: 0,
    claim: null,
    claim_until_ms: 0,
    document: JSON.stringify(message),
  };
}
