import { sql } from 'kysely';
import type {
  BulkEvaluationStore,
  CommitOutcome,
  EvaluationResult,
  EvaluationStore,
  FailedEvaluation,
} from '../evaluator/evaluation-store.ts';
import type { OutgoingNotification } from '../evaluator/ports.ts';
import type { Executor, MetadataDatabase } from './metadata-database.ts';
import { type ValuesColumns, type ValuesRow, valuesTable } from './values-table.ts';

/** Rows per statement: both stores limit the number of parameters. */
const insertRowsMax = 500;
/** Alerts per transaction. Longer ones would keep other writers waiting. */
const alertsPerTransaction = 512;
const transactionsAtOnce = 2;

export class SqlEvaluationStore implements EvaluationStore, BulkEvaluationStore {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async commit(evaluation: EvaluationResult): Promise<CommitOutcome> {
    const [outcome] = await this.commitAll([evaluation]);
    return outcome ?? 'superseded';
  }

  async recordFailure(failure: FailedEvaluation): Promise<CommitOutcome> {
    const [outcome] = await this.recordFailures([failure]);
    return outcome ?? 'superseded';
  }

  commitAll(evaluations: readonly EvaluationResult[]): Promise<CommitOutcome[]> {
    return this.#writeAll(evaluations, evaluatedColumns, async (inside, accepted) => {
      await writeHistory(inside, accepted);
      await writeOutbox(
        inside.writes,
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
    writeRest: (inside: MetadataDatabase, accepted: readonly T[]) => Promise<void>,
  ): Promise<CommitOutcome[]> {
    const outcomes = evaluations.map((): CommitOutcome => 'superseded');
    const write = async (chunk: readonly Numbered<T>[]): Promise<void> => {
      const accepted = await this.#database.transaction(async (inside) => {
        const moved = await updateUnevaluated(
          inside,
          chunk.map(({ evaluation }) => evaluation),
          columns,
        );
        const unevaluated = chunk.filter(({ evaluation }) => moved.has(evaluation.alertId));
        const rest = unevaluated.map(({ evaluation }) => evaluation);
        if (rest.length > 0) await writeRest(inside, rest);
        return unevaluated;
      });
      for (const { index } of accepted) outcomes[index] = 'committed';
    };
    for (const round of rounds(evaluations)) {
      const parts = chunks(round, alertsPerTransaction);
      // Those that wait together share a commit where the store groups them.
      for (const together of chunks(parts, transactionsAtOnce)) await Promise.all(together.map(write));
    }
    return outcomes;
  }
}

type Evaluated = Pick<EvaluationResult, 'tenantId' | 'alertId' | 'epoch' | 'nextWindowEndMs' | 'history'>;

/** Columns of `alert_states` that an evaluation sets. */
interface Columns<T> {
  types: ValuesColumns;
  /** Their values, in the order of the types. */
  valuesOf(evaluation: T): ValuesRow;
}

const evaluatedColumns: Columns<EvaluationResult> = {
  types: {
    next_window_ms: 'bigint',
    due_ms: 'bigint',
    lease_until_ms: 'bigint',
    status: 'text',
    state: 'text',
    errors: 'text',
  },
  valuesOf: ({ followingWindowEndMs, leaseUntilMs, state, errors }) => [
    followingWindowEndMs,
    followingWindowEndMs,
    leaseUntilMs,
    state.status,
    JSON.stringify(state),
    JSON.stringify(errors),
  ],
};

const failedColumns: Columns<FailedEvaluation> = {
  types: { due_ms: 'bigint', errors: 'text' },
  valuesOf: ({ retryDueMs, errors }) => [retryDueMs, JSON.stringify(errors)],
};

interface Numbered<T> {
  evaluation: T;
  index: number;
}

/** Each alert at most once per round: a statement changes a row only once. */
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

/** What an evaluation was based on; see `EvaluationBasis`. */
const basisTypes: ValuesColumns = {
  basis_id: 'text',
  basis_tenant: 'text',
  basis_epoch: 'bigint',
  basis_window_ms: 'bigint',
};

/**
 * Compare and set: the ids of the alerts whose window has not been evaluated and that have not changed meanwhile, moved on
 * as the evaluations say.
 */
async function updateUnevaluated<T extends Evaluated>(
  { writes, dialect }: MetadataDatabase,
  evaluations: readonly T[],
  { types, valuesOf }: Columns<T>,
): Promise<Set<string>> {
  const values = evaluations.map((evaluation) => {
    const { alertId, tenantId, epoch, nextWindowEndMs } = evaluation;
    return [alertId, tenantId, epoch, nextWindowEndMs, ...valuesOf(evaluation)];
  });
  const assignments = Object.keys(types).map((name) => sql`${sql.ref(name)} = ${sql.ref(`input.${name}`)}`);
  const { rows } = await sql<{ alert_id: string }>`
    update alert_states set ${sql.join(assignments)}
    from ${valuesTable(dialect, { ...basisTypes, ...types }, values)} as input
    where alert_id = basis_id and tenant_id = basis_tenant
      and epoch = basis_epoch and alert_states.next_window_ms = basis_window_ms
    returning alert_id`.execute(writes);
  return new Set(rows.map(({ alert_id }) => alert_id));
}

const historyTypes: ValuesColumns = { alert_id: 'text', tenant_id: 'text', window_end_ms: 'bigint', document: 'text' };

/** The row of a failed window is replaced when the window is evaluated after all. */
async function writeHistory({ writes, dialect }: MetadataDatabase, evaluations: readonly Evaluated[]): Promise<void> {
  const values = evaluations.map(({ tenantId, alertId, history }) => [
    alertId,
    tenantId,
    history.windowEndMs,
    JSON.stringify(history),
  ]);
  const columns = Object.keys(historyTypes).map((name) => sql.ref(name));
  await sql`
    insert into alert_history (${sql.join(columns)})
    select ${sql.join(columns)} from ${valuesTable(dialect, historyTypes, values)} as input where true
    on conflict (alert_id, window_end_ms) do update set document = excluded.document`.execute(writes);
}

async function writeOutbox(writes: Executor, messages: readonly OutgoingNotification[]): Promise<void> {
  for (const part of chunks(messages, insertRowsMax)) {
    await writes
      .insertInto('outbox')
      .values(part.map(outboxRow))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  }
}

/** A message that is due immediately. */
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
    last_at_ms: null,
    last_status: null,
    last_error: null,
  };
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
