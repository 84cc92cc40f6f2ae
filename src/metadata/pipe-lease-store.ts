import type { HeldPipe, LeasedPipe, PipeLeases, PipeMove } from '../pipes/pipe-leases.ts';
import type { StoredPipe } from '../resources/pipes/pipe.ts';
import { familyOf } from '../resources/pipes/pipe-family.ts';
import { activeStates, nextPipeState, type PipeState } from '../resources/pipes/pipe-transitions.ts';
import type { MetadataDatabase } from './metadata-database.ts';
import { insertRun, lockPipe, writeState } from './pipe-states.ts';
import { parseDocument } from './stored-document.ts';

export class SqlPipeLeases implements PipeLeases {
  readonly #database: MetadataDatabase;

  constructor(database: MetadataDatabase) {
    this.#database = database;
  }

  async adopt({ nowMs, max }: { nowMs: number; max: number }): Promise<void> {
    const rows = await this.#database.reads
      .selectFrom('pipes')
      .leftJoin('pipe_runs', 'pipe_runs.pipe_id', 'pipes.id')
      .select(['pipes.id', 'pipes.tenant_id', 'pipes.document'])
      .where('pipe_runs.pipe_id', 'is', null)
      .limit(max)
      .execute();
    if (rows.length === 0) return;
    await this.#database.transaction(async (inside) => {
      for (const { id, tenant_id, document } of rows) {
        const { fields } = parseDocument<StoredPipe>(document);
        await insertRun(inside, { serviceId: tenant_id, pipeId: id, given: fields.state, nowMs });
      }
    });
  }

  async claimDue(claim: Parameters<PipeLeases['claimDue']>[0]): Promise<LeasedPipe[]> {
    // Mostly nothing is due: a read finds that out without a write that would have to reach the disk.
    if (claim.max <= 0 || !(await this.#anyDue(claim.nowMs))) return [];
    return this.#database.transaction(async ({ writes, dialect }) => {
      const due = dialect.passingOverLocked(
        writes
          .selectFrom('pipe_runs')
          .select('pipe_id')
          .where('state', 'in', activeStates)
          .where('due_ms', '<=', claim.nowMs)
          .where('lease_until_ms', '<=', claim.nowMs)
          .orderBy('due_ms')
          .limit(claim.max),
      );
      const taken = await writes
        .updateTable('pipe_runs')
        .set({ lease_owner: claim.owner, lease_until_ms: claim.leaseUntilMs })
        .where('pipe_id', 'in', due)
        .returning('pipe_id')
        .execute();
      if (taken.length === 0) return [];
      const rows = await writes
        .selectFrom('pipe_runs')
        .innerJoin('pipes', 'pipes.id', 'pipe_runs.pipe_id')
        .select(['pipes.tenant_id', 'pipes.document'])
        .select(['pipe_runs.state', 'pipe_runs.failures', 'pipe_runs.generation'])
        .where(
          'pipe_runs.pipe_id',
          'in',
          taken.map(({ pipe_id }) => pipe_id),
        )
        .execute();
      return rows.map(({ tenant_id, document, state, failures, generation }) => ({
        serviceId: tenant_id,
        pipe: parseDocument<StoredPipe>(document),
        state,
        failures,
        generation,
      }));
    });
  }

  async #anyDue(nowMs: number): Promise<boolean> {
    const row = await this.#database.reads
      .selectFrom('pipe_runs')
      .select('pipe_id')
      .where('state', 'in', activeStates)
      .where('due_ms', '<=', nowMs)
      .where('lease_until_ms', '<=', nowMs)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  async held(owner: string, renewUntilMs?: number): Promise<HeldPipe[]> {
    if (renewUntilMs !== undefined) {
      await this.#database.writes
        .updateTable('pipe_runs')
        .set({ lease_until_ms: renewUntilMs })
        .where('lease_owner', '=', owner)
        .execute();
    }
    const rows = await this.#database.reads
      .selectFrom('pipe_runs')
      .innerJoin('pipes', 'pipes.id', 'pipe_runs.pipe_id')
      .select(['pipe_runs.pipe_id', 'pipe_runs.state', 'pipe_runs.generation', 'pipes.document'])
      .where('pipe_runs.lease_owner', '=', owner)
      .execute();
    return rows.map(({ pipe_id, state, generation, document }) => ({
      pipeId: pipe_id,
      state,
      generation,
      updatedAt: parseDocument<StoredPipe>(document).updatedAt,
    }));
  }

  move(move: PipeMove): Promise<'moved' | 'lost'> {
    const { owner, pipeId, event, reason, generation, nowMs, release, failures } = move;
    return this.#database.transaction(async (inside) => {
      await lockPipe(inside, pipeId);
      const row = await inside.writes
        .selectFrom('pipe_runs')
        .innerJoin('pipes', 'pipes.id', 'pipe_runs.pipe_id')
        .select(['pipe_runs.state', 'pipe_runs.reason', 'pipe_runs.generation', 'pipes.document'])
        .where('pipe_runs.pipe_id', '=', pipeId)
        .where('pipe_runs.lease_owner', '=', owner)
        .executeTakeFirst();
      const family = row && familyOf(parseDocument<StoredPipe>(row.document).fields);
      const state = row && family && nextPipeState(family, row.state, event);
      if (!row || state === undefined || row.generation !== (generation ?? row.generation)) return 'lost';
      if (state !== row.state || (reason ?? null) !== row.reason) {
        await writeState(inside, { pipeId, state, reason, by: 'supervisor', nowMs });
      }
      if (!release && failures === undefined) return 'moved';
      await inside.writes
        .updateTable('pipe_runs')
        .set({
          ...(release && { due_ms: release.dueMs, lease_owner: null, lease_until_ms: 0 }),
          ...(failures !== undefined && { failures }),
        })
        .where('pipe_id', '=', pipeId)
        .execute();
      return 'moved';
    });
  }

  async release(owner: string, pipeId: string): Promise<void> {
    await this.#database.writes
      .updateTable('pipe_runs')
      .set({ lease_owner: null, lease_until_ms: 0 })
      .where('pipe_id', '=', pipeId)
      .where('lease_owner', '=', owner)
      .execute();
  }

  async states(max: number): Promise<{ pipeId: string; state: PipeState }[]> {
    const rows = await this.#database.reads
      .selectFrom('pipe_runs')
      .select(['pipe_id', 'state'])
      .orderBy('pipe_id')
      .limit(max)
      .execute();
    return rows.map(({ pipe_id, state }) => ({ pipeId: pipe_id, state }));
  }
}
