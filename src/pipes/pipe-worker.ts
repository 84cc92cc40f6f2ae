import type { Clock } from '../kernel/clock.ts';
import { digestOf } from '../kernel/digest.ts';
import { Semaphore } from '../kernel/semaphore.ts';
import type { PipeEvent } from '../resources/pipes/pipe-transitions.ts';
import type { PipeDestination, PreparedTarget } from './destination-port.ts';
import type { PipeDefinition } from './pipe-definition.ts';
import type { LeasedPipe, PipeLeases } from './pipe-leases.ts';
import { LeaseLostError, type PipeLedger } from './pipe-ledger.ts';
import type { PipeMetrics } from './pipe-metrics.ts';
import { outcomeOf, PipeFailedError, type PipeOutcome, type StopCause } from './pipe-outcome.ts';
import { type Connectors, runProblems } from './run-check.ts';
import { limitsOf } from './run-limits.ts';
import type { Lane, OpenSource, SourceBatch } from './source-port.ts';
import { targetOf } from './target-check.ts';
import type { TargetTable } from './target-table.ts';

export interface PipeWorkerDeps {
  connectors: Connectors;
  /** Where the rows of a service go. */
  destinationOf: (pipe: PipeDefinition) => Promise<PipeDestination>;
  /** The record with its secrets. Throws when they were sealed with another key. */
  open: (leased: LeasedPipe) => PipeDefinition;
  leases: Pick<PipeLeases, 'move'>;
  ledger: PipeLedger;
  metrics: PipeMetrics;
  clock: Clock;
  owner: string;
  /** Records of one run that may go to the error table before the pipe fails. */
  errorsMax: number;
}

const lagWriteMs = 5_000;

/** One run of one pipe: reads its source, writes its rows, and remembers how far it came. */
export class PipeWorker {
  /** Of the record that it runs. */
  readonly version: string;
  readonly #deps: PipeWorkerDeps;
  readonly #leased: LeasedPipe;
  /** Aborts when the run is stopped or fails: nothing is read any more. */
  readonly #ending = new AbortController();
  readonly #lost = new AbortController();
  #cause: StopCause | undefined;
  #event: PipeEvent | undefined;
  #errors = 0;
  #lag: { lagMs?: number; lagRecords?: number } = {};
  #main: TargetTable | undefined;
  #lagWrittenMs = 0;
  /** By the name of the table; made anew when its columns have changed. */
  readonly #targets = new Map<string, { target: TargetTable; prepared: Promise<PreparedTarget> }>();

  constructor(deps: PipeWorkerDeps, leased: LeasedPipe) {
    this.#deps = deps;
    this.#leased = leased;
    this.version = leased.pipe.updatedAt;
  }

  /** A resync after this run has begun needs another one. */
  get generation(): number {
    return this.#leased.generation;
  }

  get pipeId(): string {
    return this.#leased.pipe.id;
  }

  /** Stops reading; a batch that is being written is finished, unless the lease is lost. */
  stop(cause: StopCause): void {
    this.#cause ??= cause;
    this.#ending.abort();
    if (cause === 'lost') this.#lost.abort();
  }

  /** Never rejects. */
  async run(): Promise<PipeOutcome> {
    try {
      await this.#run();
      return this.#cause ? { kind: 'stopped', cause: this.#cause } : { kind: 'completed' };
    } catch (error) {
      // What an interrupted read throws is no news.
      return this.#cause ? { kind: 'stopped', cause: this.#cause } : outcomeOf(error);
    } finally {
      this.#deps.metrics.left(this.pipeId);
    }
  }

  async #run(): Promise<void> {
    const { connectors, ledger } = this.#deps;
    const pipe = this.#opened();
    const [problem] = runProblems(connectors, pipe);
    if (problem) throw new PipeFailedError(`${problem.path}: ${problem.message}.`);
    const [connector] = [...connectors.values()].filter(({ kind }) => pipe.source?.[kind] !== undefined);
    if (!connector) throw new PipeFailedError('The pipe has no source that can be read.');
    const destination = await this.#deps.destinationOf(pipe);
    const main = targetOf(pipe);
    this.#main = main;
    const limits = limitsOf(pipe);
    if (main) await this.#prepared(destination, main);
    const source = await connector.open({
      pipe,
      limits,
      ledger,
      plan: (entries) => this.#write({ entries }),
      onLag: (lagMs, records) => this.#noteLag(lagMs, records),
      onLagBytes: (bytes) => this.#deps.metrics.laggedBytes(this.pipeId, bytes),
      signal: this.#ending.signal,
    });
    try {
      // After trouble, a connection alone proves little: the first batch or a source without news does.
      if (this.#leased.failures === 0) await this.#enter(source.phase);
      await this.#moveRows(source, destination, limits.lanes);
    } finally {
      await source.close();
    }
  }

  #opened(): PipeDefinition {
    try {
      return this.#deps.open(this.#leased);
    } catch {
      throw new PipeFailedError(
        'The secrets of the pipe cannot be read with the present secret key; enter them again.',
      );
    }
  }

  /** Lanes side by side; the first error ends all of them. */
  async #moveRows(source: OpenSource, destination: PipeDestination, width: number): Promise<void> {
    const places = new Semaphore(width);
    const running = new Set<Promise<void>>();
    let failure: { error: unknown } | undefined;
    const fail = (error: unknown) => {
      failure ??= { error };
      this.#ending.abort();
    };
    try {
      for await (const lane of source.lanes()) {
        const release = await places.acquireUnless(this.#ending.signal);
        if (!release) break;
        const task = this.#moveLane(lane, source, destination)
          .catch(fail)
          .finally(() => {
            release();
            running.delete(task);
          });
        running.add(task);
      }
    } catch (error) {
      // Lanes that are still writing are waited for.
      fail(error);
    }
    await Promise.all(running);
    if (failure) throw failure.error;
  }

  /** One batch after another: a lane plans the next one only when the ledger has this one, else a crash would lose it. */
  async #moveLane(lane: Lane, source: OpenSource, destination: PipeDestination): Promise<void> {
    for await (const batch of lane) {
      if (this.#ending.signal.aborted) return;
      try {
        if (this.#leased.failures === 0) await this.#enter(batch.phase);
        await this.#writeBatch(batch, destination);
        await this.#enter(batch.phase);
        await source.acknowledge?.(batch);
      } catch (error) {
        // Before the lane is closed, so that what it waits for ends.
        this.#ending.abort();
        throw error;
      }
    }
  }

  async #writeBatch(batch: SourceBatch, destination: PipeDestination): Promise<void> {
    const { errorsMax } = this.#deps;
    const target = batch.target ?? this.#main;
    if (!target) throw new PipeFailedError('destination.table: is required.');
    const prepared = await this.#prepared(destination, target);
    const written = await prepared.write(batch, {
      pipeId: this.pipeId,
      token: this.#tokenOf(batch),
      errorsMax: errorsMax - this.#errors,
      signal: this.#lost.signal,
    });
    this.#errors += written.errors;
    const progress = { rows: written.rows, bytes: batch.sourceBytes, errors: written.errors };
    const { lagMs, lagRecords } = batch;
    if (lagMs !== undefined) this.#lag = { lagMs, ...(lagRecords !== undefined && { lagRecords }) };
    await this.#write({ entries: batch.positions, progress });
    this.#deps.metrics.written(this.pipeId, progress);
  }

  /** The same rows have the same token until the pipe is resynced. */
  #tokenOf({ identity }: SourceBatch): string {
    return `${this.pipeId}-${digestOf(JSON.stringify([this.#leased.generation, identity]))}`;
  }

  #prepared(destination: PipeDestination, target: TargetTable): Promise<PreparedTarget> {
    const known = this.#targets.get(target.table);
    if (known?.target === target) return known.prepared;
    const prepared = destination.prepare(target, this.#ending.signal);
    this.#targets.set(target.table, { target, prepared });
    return prepared;
  }

  /** The state follows what the source is doing. */
  async #enter(phase: SourceBatch['phase']): Promise<void> {
    const { leases, owner, clock } = this.#deps;
    const event = phase === 'snapshot' ? 'snapshot' : 'flow';
    if (event === this.#event) return;
    this.#event = event;
    // If a command came in between, the supervisor sees it and stops this run.
    const { pipeId, generation } = this;
    await leases.move({ owner, pipeId, generation, event, nowMs: clock.nowMs(), failures: 0 });
  }

  #write(entry: Pick<Parameters<PipeLedger['write']>[0], 'entries' | 'progress'>): Promise<void> {
    if (this.#cause === 'lost') throw new LeaseLostError();
    const { ledger, owner, clock } = this.#deps;
    const { pipeId, generation } = this;
    return ledger.write({ owner, pipeId, generation, ...this.#lag, ...entry, nowMs: clock.nowMs() });
  }

  #noteLag(lagMs: number, lagRecords: number | undefined): void {
    this.#lag = { lagMs, ...(lagRecords !== undefined && { lagRecords }) };
    this.#deps.metrics.lagged(this.pipeId, lagMs, lagRecords);
    const nowMs = this.#deps.clock.nowMs();
    if (nowMs - this.#lagWrittenMs < lagWriteMs) return;
    this.#lagWrittenMs = nowMs;
    // Only for show: the next batch writes it again.
    this.#write({ entries: [] })
      .then(() => (lagMs === 0 ? this.#enter('stream') : undefined))
      .catch(() => {});
  }
}
