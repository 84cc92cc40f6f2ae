import { type RawBuilder, sql } from 'kysely';
import type { HistoryEntry } from '../evaluator/alert-state.ts';
import type {
  BulkEvaluationStore,
  CommitOutcome,
  EvaluationStore,
  FailedEvaluation,
  Judgement,
} from '../evaluator/evaluation-store.ts';
import type { OutgoingNotification } from '../evaluator/ports.ts';
import { evenChunks } from './even-chunks.ts';
import type { Executor, MetadataDatabase } from './metadata-database.ts';
import { parseDocument } from './stored-document.ts';

/** Rows per statement: both stores limit the number of parameters. */
const insertRowsMax = 500;
/** Alerts per transaction; a power of two. Longer ones would keep other writers waiting. */
const alertsPerTransaction = 256;
const transactionsAtOnce = 4;

export class SqlEvaluationStore implements EvaluationStore, BulkEvaluationStore {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async commit(judgement: Judgement): Promise<CommitOutcome> {
    const [outcome] = await this.commitAll([judgement]);
    return outcome ?? 'superseded';
  }

  async recordFailure(failure: FailedEvaluation): Promise<CommitOutcome> {
    const [outcome] = await this.recordFailures([failure]);
    return outcome ?? 'superseded';
  }

  commitAll(judgements: readonly Judgement[]): Promise<CommitOutcome[]> {
    return this.#writeAll(judgements, judgedColumns, async (writes, accepted) => {
      await writeHistory(writes, accepted);
      await writeOutbox(
        writes,
        accepted.flatMap(({ notifications }) => notifications),
      );
    });
  }

  recordFailures(failures: readonly FailedEvaluation[]): Promise<CommitOutcome[]> {
    return this.#writeAll(failures, failedColumns, writeHistory);
  }

  async #writeAll<T extends Evaluated>(
    evaluations: readonly T[],
    columns: Columns<T>,
    writeRest: (writes: Executor, accepted: readonly T[]) => Promise<void>,
  ): Promise<CommitOutcome[]> {
    const outcomes = evaluations.map((): CommitOutcome => 'superseded');
    const write = async (chunk: readonly Numbered<T>[]): Promise<void> => {
      const accepted = await this.#database.transaction(async ({ writes }) => {
        const moved = await updateUnjudged(
          writes,
          chunk.map(({ evaluation }) => evaluation),
          columns,
        );
        const unjudged = chunk.filter(({ evaluation }) => moved.has(evaluation.alertId));
        const rest = unjudged.map(({ evaluation }) => evaluation);
        if (rest.length > 0) await writeRest(writes, rest);
        return unjudged;
      });
      for (const { index } of accepted) outcomes[index] = 'committed';
    };
    for (const round of rounds(evaluations)) {
      const chunks = evenChunks(round, alertsPerTransaction);
      // Those that wait together share a commit where the store groups them.
      for (let from = 0; from < chunks.length; from += transactionsAtOnce) {
        await Promise.all(chunks.slice(from, from + transactionsAtOnce).map(write));
      }
    }
    return outcomes;
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

type Evaluated = Pick<Judgement, 'tenantId' | 'alertId' | 'epoch' | 'nextWindowEndMs' | 'history'>;

/** Columns of `alert_states` that an evaluation sets, with their types. */
type Columns<T> = Readonly<Record<string, { type: 'bigint' | 'text'; of: (evaluation: T) => number | string }>>;

const judgedColumns: Columns<Judgement> = {
  next_window_ms: { type: 'bigint', of: ({ followingWindowEndMs }) => followingWindowEndMs },
  due_ms: { type: 'bigint', of: ({ followingWindowEndMs }) => followingWindowEndMs },
  lease_until_ms: { type: 'bigint', of: ({ leaseUntilMs }) => leaseUntilMs },
  status: { type: 'text', of: ({ state }) => state.status },
  state: { type: 'text', of: ({ state }) => JSON.stringify(state) },
  errors: { type: 'text', of: ({ errors }) => JSON.stringify(errors) },
};

const failedColumns: Columns<FailedEvaluation> = {
  due_ms: { type: 'bigint', of: ({ retryDueMs }) => retryDueMs },
  errors: { type: 'text', of: ({ errors }) => JSON.stringify(errors) },
};

interface Numbered<T> {
  evaluation: T;
  index: number;
}

/** Each alert at most once per round: a statement changes a row once only, whatever stands in it. */
function rounds<T extends Evaluated>(evaluations: readonly T[]): Numbered<T>[][] {
  const all: Numbered<T>[][] = [];
  const seen = new Map<string, number>();
  evaluations.forEach((evaluation, index) => {
    const round = seen.get(evaluation.alertId) ?? 0;
    seen.set(evaluation.alertId, round + 1);
    const own = all[round] ?? [];
    own.push({ evaluation, index });
    all[round] = own;
  });
  return all;
}

/**
 * Compare and set: the ids of the alerts whose window has not been judged and that have not changed meanwhile, moved on
 * as the evaluations say.
 */
async function updateUnjudged<T extends Evaluated>(
  writes: Executor,
  evaluations: readonly T[],
  columns: Columns<T>,
): Promise<Set<string>> {
  const row = (evaluation: T): RawBuilder<unknown> => {
    const set = Object.values(columns).map(({ type, of }) => typed(of(evaluation), type));
    const { alertId, tenantId, epoch, nextWindowEndMs } = evaluation;
    const key = [typed(alertId, 'text'), typed(tenantId, 'text'), typed(epoch, 'bigint')];
    return sql`(${sql.join([...key, typed(nextWindowEndMs, 'bigint'), ...set])})`;
  };
  // Both stores call the columns of a list of values column1, column2, …
  const assignments = Object.keys(columns).map(
    (name, at) => sql`${sql.ref(name)} = ${sql.ref(`given.column${at + 5}`)}`,
  );
  const { rows } = await sql<{ alert_id: string }>`
    update alert_states set ${sql.join(assignments)}
    from (values ${sql.join(evaluations.map(row))}) as given
    where alert_id = given.column1 and tenant_id = given.column2
      and epoch = given.column3 and next_window_ms = given.column4
    returning alert_id`.execute(writes);
  return new Set(rows.map(({ alert_id }) => alert_id));
}

function typed(value: number | string, type: 'bigint' | 'text'): RawBuilder<unknown> {
  return sql`cast(${value} as ${sql.raw(type)})`;
}

/** The row of a failed window is replaced when the window is judged after all. */
async function writeHistory(writes: Executor, evaluations: readonly Evaluated[]): Promise<void> {
  const rows = evaluations.map(({ tenantId, alertId, history }) => ({
    alert_id: alertId,
    tenant_id: tenantId,
    window_end_ms: history.windowEndMs,
    document: JSON.stringify(history),
  }));
  for (const chunk of evenChunks(rows, alertsPerTransaction)) {
    await writes
      .insertInto('alert_history')
      .values(chunk)
      .onConflict((conflict) =>
        conflict
          .columns(['alert_id', 'window_end_ms'])
          .doUpdateSet((column) => ({ document: column.ref('excluded.document') })),
      )
      .execute();
  }
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
