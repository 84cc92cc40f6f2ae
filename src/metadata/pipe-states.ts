import type { PipeChange, PipeRun } from '../resources/pipes/pipe-run.ts';
import { noProgress } from '../resources/pipes/pipe-run.ts';
import { pipeChangesMax } from '../resources/pipes/pipe-runs.ts';
import { firstStateOf, type PipeState } from '../resources/pipes/pipe-transitions.ts';
import type { MetadataDatabase } from './metadata-database.ts';
import type { PipeTables } from './pipe-tables.ts';
import { parseDocument } from './stored-document.ts';

/** The states of pipes and the history of their changes, inside a transaction. */

export interface StateChange {
  pipeId: string;
  state: PipeState;
  reason?: string | undefined;
  by: PipeChange['by'];
  nowMs: number;
}

type RunRow = Pick<PipeTables['pipe_runs'], 'state' | 'reason' | 'changed_ms' | 'progress'>;

export function runOf({ state, reason, changed_ms, progress }: RunRow): PipeRun {
  return {
    state,
    ...(reason !== null && { reason }),
    changedAt: new Date(changed_ms).toISOString(),
    progress: parseDocument(progress),
  };
}

/** Excludes every other change of this pipe's state until the transaction ends. */
export function lockPipe({ dialect, writes }: MetadataDatabase, pipeId: string): Promise<void> {
  return dialect.lock(writes, `pipe:${pipeId}`);
}

export async function insertRun(
  { writes }: MetadataDatabase,
  run: { serviceId: string; pipeId: string; given: string; nowMs: number },
): Promise<PipeState> {
  const state = firstStateOf(run.given);
  await writes
    .insertInto('pipe_runs')
    .values({
      pipe_id: run.pipeId,
      tenant_id: run.serviceId,
      state,
      reason: null,
      changed_ms: run.nowMs,
      due_ms: 0,
      failures: 0,
      generation: 0,
      lease_owner: null,
      lease_until_ms: 0,
      progress: JSON.stringify(noProgress),
    })
    .onConflict((conflict) => conflict.column('pipe_id').doNothing())
    .execute();
  return state;
}

/** Writes a state and remembers that it changed. */
export async function writeState({ writes }: MetadataDatabase, change: StateChange): Promise<void> {
  const { pipeId, state, nowMs } = change;
  const reason = change.reason ?? null;
  await writes
    .updateTable('pipe_runs')
    .set({ state, reason, changed_ms: nowMs })
    .where('pipe_id', '=', pipeId)
    .execute();
  const last = await writes
    .selectFrom('pipe_changes')
    .select((select) => select.fn.max<number | null>('number').as('number'))
    .where('pipe_id', '=', pipeId)
    .executeTakeFirst();
  const number = (last?.number ?? 0) + 1;
  await writes
    .insertInto('pipe_changes')
    .values({ pipe_id: pipeId, number, at_ms: nowMs, state, reason, source: change.by })
    .execute();
  await writes
    .deleteFrom('pipe_changes')
    .where('pipe_id', '=', pipeId)
    .where('number', '<=', number - pipeChangesMax)
    .execute();
}
