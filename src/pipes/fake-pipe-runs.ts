import type { FakePipeRepository } from '../resources/pipes/fake-pipe-repository.ts';
import type { StoredPipe } from '../resources/pipes/pipe.ts';
import { familyOf } from '../resources/pipes/pipe-family.ts';
import { noProgress, type PipeChange, type PipeRun } from '../resources/pipes/pipe-run.ts';
import { type CommandOutcome, type PipeOrder, type PipeRuns, pipeChangesMax } from '../resources/pipes/pipe-runs.ts';
import {
  firstStateOf,
  isActive,
  nextPipeState,
  type PipeCommand,
  type PipeState,
} from '../resources/pipes/pipe-transitions.ts';
import type { HeldPipe, LeasedPipe, PipeLeases, PipeMove } from './pipe-leases.ts';
import { LeaseLostError, type LedgerEntry, type PipeLedger } from './pipe-ledger.ts';

interface Row {
  run: PipeRun;
  dueMs: number;
  failures: number;
  generation: number;
  owner?: string | undefined;
  leaseUntilMs: number;
  positions: Map<string, string>;
  changes: PipeChange[];
}

/** Runs, leases and positions in memory, beside pipes in memory. */
export class FakePipeRuns implements PipeRuns, PipeLeases, PipeLedger {
  readonly #pipes: FakePipeRepository;
  readonly #rows = new Map<string, Row>();

  constructor(pipes: FakePipeRepository) {
    this.#pipes = pipes;
    pipes.showRuns((pipeId) => this.#row(pipeId)?.run);
  }

  async command(order: PipeOrder & { command: PipeCommand }): Promise<CommandOutcome> {
    const row = this.#row(order.pipeId) ?? this.#begin(order.pipeId, order.given, order.nowMs);
    const state = nextPipeState(order.family, row.run.state, order.command);
    if (state === undefined) return { kind: 'impossible', state: row.run.state };
    if (state !== row.run.state) change(row, { state, nowMs: order.nowMs, by: 'client' });
    if (order.command === 'resync') {
      row.positions.clear();
      row.generation++;
      row.run = { ...row.run, progress: noProgress };
    }
    Object.assign(row, { dueMs: 0, failures: 0 });
    return { kind: 'done', run: row.run };
  }

  async restate({ pipeId, given, nowMs }: PipeOrder): Promise<void> {
    const row = this.#row(pipeId);
    const state = firstStateOf(given);
    if (!row || row.run.state === state || (state === 'Provisioning' && isActive(row.run.state))) return;
    change(row, { state, nowMs, by: 'client' });
    Object.assign(row, { dueMs: 0, failures: 0 });
  }

  async history(serviceId: string, pipeId: string): Promise<PipeChange[]> {
    const pipe = await this.#pipes.find(serviceId, pipeId);
    return pipe ? [...(this.#row(pipeId)?.changes ?? [])].reverse() : [];
  }

  async adopt({ nowMs, max }: { nowMs: number; max: number }): Promise<void> {
    const without = this.#pipes.all().filter(({ pipe }) => !this.#row(pipe.id));
    for (const { pipe } of without.slice(0, max)) this.#begin(pipe.id, pipe.fields.state, nowMs);
  }

  async claimDue({ owner, nowMs, leaseUntilMs, max }: Parameters<PipeLeases['claimDue']>[0]): Promise<LeasedPipe[]> {
    const due = this.#pipes.all().flatMap(({ serviceId, pipe }) => {
      const row = this.#row(pipe.id);
      const isDue = row && isActive(row.run.state) && row.dueMs <= nowMs && row.leaseUntilMs <= nowMs;
      return isDue ? [{ serviceId, pipe, row }] : [];
    });
    return due.slice(0, max).map(({ serviceId, pipe, row }) => {
      Object.assign(row, { owner, leaseUntilMs });
      return { serviceId, pipe, state: row.run.state, failures: row.failures, generation: row.generation };
    });
  }

  async held(owner: string, renewUntilMs?: number): Promise<HeldPipe[]> {
    return this.#pipes.all().flatMap(({ pipe }) => {
      const row = this.#row(pipe.id);
      if (row?.owner !== owner) return [];
      if (renewUntilMs !== undefined) row.leaseUntilMs = renewUntilMs;
      const { run, generation } = row;
      return [{ pipeId: pipe.id, state: run.state, updatedAt: pipe.updatedAt, generation }];
    });
  }

  async move({
    owner,
    pipeId,
    event,
    reason,
    generation,
    nowMs,
    release,
    failures,
  }: PipeMove): Promise<'moved' | 'lost'> {
    const row = this.#row(pipeId);
    const pipe = this.#pipeOf(pipeId);
    if (!row || !pipe || row.owner !== owner || row.generation !== (generation ?? row.generation)) return 'lost';
    const state = nextPipeState(familyOf(pipe.fields), row.run.state, event);
    if (state === undefined) return 'lost';
    if (state !== row.run.state || reason !== row.run.reason) {
      change(row, { state, nowMs, by: 'supervisor', ...(reason !== undefined && { reason }) });
    }
    if (release) Object.assign(row, { owner: undefined, leaseUntilMs: 0, dueMs: release.dueMs });
    if (failures !== undefined) row.failures = failures;
    return 'moved';
  }

  async release(owner: string, pipeId: string): Promise<void> {
    const row = this.#row(pipeId);
    if (row?.owner === owner) Object.assign(row, { owner: undefined, leaseUntilMs: 0 });
  }

  async states(max: number): Promise<{ pipeId: string; state: PipeState }[]> {
    const rows = this.#pipes.all().flatMap(({ pipe }) => {
      const row = this.#row(pipe.id);
      return row ? [{ pipeId: pipe.id, state: row.run.state }] : [];
    });
    return rows.slice(0, max);
  }

  async find(pipeId: string, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const positions = this.#row(pipeId)?.positions ?? new Map<string, string>();
    return new Map([...positions].filter(([key]) => keys.includes(key)));
  }

  async list(pipeId: string, prefix: string, max: number): Promise<LedgerEntry[]> {
    const entries = [...(this.#row(pipeId)?.positions ?? [])].filter(([key]) => key.startsWith(prefix));
    const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
    return sorted.slice(0, max).map(([key, position]) => ({ key, position }));
  }

  async write(entry: Parameters<PipeLedger['write']>[0]): Promise<void> {
    const { owner, pipeId, generation, entries, progress, lagMs, lagRecords, nowMs } = entry;
    const row = this.#row(pipeId);
    if (!row || row.owner !== owner || row.generation !== (generation ?? row.generation)) throw new LeaseLostError();
    for (const { key, position } of entries) {
      if (position === undefined) row.positions.delete(key);
      else row.positions.set(key, position);
    }
    const before = row.run.progress;
    row.run.progress = {
      ...before,
      ...(progress && {
        rows: before.rows + progress.rows,
        bytes: before.bytes + progress.bytes,
        errors: before.errors + progress.errors,
        batches: before.batches + 1,
        lastSuccessAt: new Date(nowMs).toISOString(),
      }),
      ...(lagMs !== undefined && { lagMs }),
      ...(lagRecords !== undefined && { lagRecords }),
    };
  }

  #begin(pipeId: string, given: string, nowMs: number): Row {
    const run: PipeRun = {
      state: firstStateOf(given),
      changedAt: new Date(nowMs).toISOString(),
      progress: noProgress,
    };
    const row: Row = { run, dueMs: 0, failures: 0, generation: 0, leaseUntilMs: 0, positions: new Map(), changes: [] };
    this.#rows.set(pipeId, row);
    return row;
  }

  /** A pipe that was removed takes its run with it. */
  #row(pipeId: string): Row | undefined {
    return this.#pipeOf(pipeId) && this.#rows.get(pipeId);
  }

  #pipeOf(pipeId: string): StoredPipe | undefined {
    const pipe = this.#pipes.all().find((entry) => entry.pipe.id === pipeId)?.pipe;
    if (!pipe) this.#rows.delete(pipeId);
    return pipe;
  }
}

function change(
  row: Row,
  made: { state: PipeRun['state']; reason?: string; nowMs: number; by: PipeChange['by'] },
): void {
  const { state, reason, nowMs, by } = made;
  const at = new Date(nowMs).toISOString();
  const why = reason === undefined ? {} : { reason };
  row.run = { state, ...why, changedAt: at, progress: row.run.progress };
  row.changes.push({ at, state, ...why, by });
  row.changes.splice(0, row.changes.length - pipeChangesMax);
}
