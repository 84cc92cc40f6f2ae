import { noProgress, type PipeChange } from '../resources/pipes/pipe-run.ts';
import { type CommandOutcome, type PipeOrder, type PipeRuns, pipeChangesMax } from '../resources/pipes/pipe-runs.ts';
import { firstStateOf, isActive, nextPipeState, type PipeCommand } from '../resources/pipes/pipe-transitions.ts';
import type { MetadataDatabase } from './metadata-database.ts';
import { insertRun, lockPipe, runOf, writeState } from './pipe-states.ts';

export class SqlPipeRuns implements PipeRuns {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  command(order: PipeOrder & { command: PipeCommand }): Promise<CommandOutcome> {
    const { pipeId, family, command, nowMs } = order;
    return this.#database.transaction(async (inside) => {
      await lockPipe(inside, pipeId);
      const present = (await findRun(inside, pipeId))?.state ?? (await insertRun(inside, order));
      const state = nextPipeState(family, present, command);
      if (state === undefined) return { kind: 'impossible', state: present };
      if (state !== present) await writeState(inside, { pipeId, state, by: 'client', nowMs });
      if (command === 'resync') await forget(inside, pipeId);
      // What was waiting after a failure is looked at now.
      await inside.writes
        .updateTable('pipe_runs')
        .set({ due_ms: 0, failures: 0 })
        .where('pipe_id', '=', pipeId)
        .execute();
      const run = await findRun(inside, pipeId);
      if (!run) throw new Error('the run was just written');
      return { kind: 'done', run: runOf(run) };
    });
  }

  async restate(order: PipeOrder): Promise<void> {
    const { pipeId, given, nowMs } = order;
    await this.#database.transaction(async (inside) => {
      await lockPipe(inside, pipeId);
      const present = await findRun(inside, pipeId);
      const state = firstStateOf(given);
      // What runs and is given as running simply continues.
      if (!present || present.state === state || (state === 'Provisioning' && isActive(present.state))) return;
      await writeState(inside, { pipeId, state, by: 'client', nowMs });
      await inside.writes
        .updateTable('pipe_runs')
        .set({ due_ms: 0, failures: 0 })
        .where('pipe_id', '=', pipeId)
        .execute();
    });
  }

  async history(serviceId: string, pipeId: string): Promise<PipeChange[]> {
    const rows = await this.#database.reads
      .selectFrom('pipe_changes')
      .innerJoin('pipes', 'pipes.id', 'pipe_changes.pipe_id')
      .select(['pipe_changes.at_ms', 'pipe_changes.state', 'pipe_changes.reason', 'pipe_changes.source'])
      .where('pipes.tenant_id', '=', serviceId)
      .where('pipe_changes.pipe_id', '=', pipeId)
      .orderBy('pipe_changes.number', 'desc')
      .limit(pipeChangesMax)
      .execute();
    return rows.map(({ at_ms, state, reason, source }) => ({
      at: new Date(at_ms).toISOString(),
      state,
      ...(reason !== null && { reason }),
      by: source,
    }));
  }
}

function findRun({ writes }: MetadataDatabase, pipeId: string) {
  return writes
    .selectFrom('pipe_runs')
    .select(['state', 'reason', 'changed_ms', 'progress'])
    .where('pipe_id', '=', pipeId)
    .executeTakeFirst();
}

/** A resync reads everything again, as new rows, and counts them from the beginning. */
async function forget({ writes }: MetadataDatabase, pipeId: string): Promise<void> {
  await writes.deleteFrom('pipe_positions').where('pipe_id', '=', pipeId).execute();
  await writes
    .updateTable('pipe_runs')
    .set((select) => ({ generation: select('generation', '+', 1), progress: JSON.stringify(noProgress) }))
    .where('pipe_id', '=', pipeId)
    .execute();
}
