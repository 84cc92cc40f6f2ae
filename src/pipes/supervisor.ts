import type { Logger } from '../kernel/logger.ts';
import { WakeLoop } from '../kernel/wake-loop.ts';
import { isActive, isEnding } from '../resources/pipes/pipe-transitions.ts';
import type { HeldPipe, LeasedPipe, PipeLeases, PipeMove } from './pipe-leases.ts';
import type { PipeOutcome } from './pipe-outcome.ts';
import { PipeWorker, type PipeWorkerDeps } from './pipe-worker.ts';

export interface PipeSupervisorOptions extends PipeWorkerDeps {
  leases: PipeLeases;
  logger: Logger;
  /** Pipes that this process runs at the same time. */
  pipesMax: number;
  leaseMs: number;
  /** How often commands, edits and new pipes are looked for. */
  lookMs: number;
  /** The pause after the first trouble; each further one is twice as long. */
  firstRetryMs: number;
  /** 0 to 1. */
  random: () => number;
}

const retryMsMax = 60_000;
const internalReason =
  'An unexpected error stopped the pipe; the log of the program has the details. Start the pipe to try again.';

/** Takes pipes by lease, runs them, follows the commands that clients give, and records how each is doing. */
export class PipeSupervisor {
  readonly #options: PipeSupervisorOptions;
  readonly #loop: WakeLoop;
  readonly #workers = new Map<string, PipeWorker>();
  readonly #running = new Set<Promise<void>>();
  #leaseUntilMs = 0;
  #isStopping = false;

  constructor(options: PipeSupervisorOptions) {
    this.#options = options;
    this.#loop = new WakeLoop(options.clock, () => this.#look());
  }

  start(): void {
    this.#loop.wake();
  }

  /** Batches that are being written are finished, leases are given back; states stay, and another process continues. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#loop.stop();
    for (const worker of this.#workers.values()) worker.stop('shutdown');
    await Promise.allSettled(this.#running);
  }

  async #look(): Promise<number> {
    const { logger, lookMs } = this.#options;
    try {
      await this.#followHeld();
      await this.#takeDue();
    } catch (error) {
      logger.error({ err: error }, 'pipes could not be looked up');
      this.#stopIfOverdue();
    }
    return lookMs;
  }

  /** Without a store no lease can be renewed: another process may have taken the pipes over. */
  #stopIfOverdue(): void {
    if (this.#options.clock.nowMs() < this.#leaseUntilMs) return;
    for (const worker of this.#workers.values()) worker.stop('lost');
  }

  async #followHeld(): Promise<void> {
    if (this.#workers.size === 0) return;
    const { leases, owner, clock, leaseMs } = this.#options;
    const nowMs = clock.nowMs();
    const isRenewalDue = nowMs >= this.#leaseUntilMs - (leaseMs * 2) / 3;
    const renewUntilMs = isRenewalDue ? nowMs + leaseMs : undefined;
    const held = new Map((await leases.held(owner, renewUntilMs)).map((pipe) => [pipe.pipeId, pipe]));
    if (renewUntilMs !== undefined) this.#leaseUntilMs = renewUntilMs;
    for (const worker of this.#workers.values()) follow(worker, held.get(worker.pipeId));
  }

  async #takeDue(): Promise<void> {
    const { leases, owner, clock, leaseMs, pipesMax } = this.#options;
    const nowMs = clock.nowMs();
    await leases.adopt({ nowMs, max: pipesMax });
    const leaseUntilMs = nowMs + leaseMs;
    const max = pipesMax - this.#workers.size;
    const claimed = await leases.claimDue({ owner, nowMs, leaseUntilMs, max });
    // The earliest lease decides when all are renewed.
    if (claimed.length > 0 && this.#workers.size === 0) this.#leaseUntilMs = leaseUntilMs;
    for (const leased of claimed) this.#launch(leased);
  }

  #launch(leased: LeasedPipe): void {
    const { logger } = this.#options;
    const pipeId = leased.pipe.id;
    const task = this.#run(leased)
      .catch((error: unknown) => {
        // The lease runs out, and the pipe is taken again.
        logger.error({ err: error, pipeId }, 'the state of a pipe could not be written');
      })
      .finally(() => {
        this.#workers.delete(pipeId);
        this.#running.delete(task);
        this.#loop.wake();
      });
    this.#running.add(task);
  }

  async #run(leased: LeasedPipe): Promise<void> {
    if (isEnding(leased.state)) return this.#move(leased, { event: 'halt' });
    const worker = new PipeWorker(this.#options, leased);
    this.#workers.set(leased.pipe.id, worker);
    if (this.#isStopping) worker.stop('shutdown');
    await this.#conclude(leased, await worker.run());
  }

  async #conclude(leased: LeasedPipe, outcome: PipeOutcome): Promise<void> {
    const { leases, logger, owner } = this.#options;
    const pipeId = leased.pipe.id;
    switch (outcome.kind) {
      case 'completed':
        return this.#move(leased, { event: 'complete', failures: 0 });
      case 'trouble':
        logger.warn({ pipeId }, 'a pipe is in trouble and will be tried again');
        return this.#move(leased, this.#retry(leased, outcome.reason));
      case 'failed':
        logger.warn({ pipeId }, 'a pipe has failed');
        return this.#move(leased, { event: 'fail', reason: outcome.reason, failures: 0 });
      case 'crashed':
        logger.error({ err: outcome.error, pipeId }, 'a pipe was stopped by an unexpected error');
        return this.#move(leased, { event: 'crash', reason: internalReason, failures: 0 });
      case 'stopped':
        if (outcome.cause === 'halt') return this.#move(leased, { event: 'halt', failures: 0 });
        if (outcome.cause === 'edit') return this.#move(leased, { event: 'edit', failures: 0 });
        return leases.release(owner, pipeId);
    }
  }

  #retry({ failures }: LeasedPipe, reason: string): Omit<PipeMove, 'owner' | 'pipeId' | 'nowMs'> {
    const { firstRetryMs, random, clock } = this.#options;
    const pauseMs = Math.min(retryMsMax, firstRetryMs * 2 ** Math.min(failures, 16)) * (0.75 + random() / 2);
    const release = { dueMs: Math.round(clock.nowMs() + pauseMs) };
    return { event: 'trouble', reason, failures: failures + 1, release };
  }

  async #move({ pipe, generation }: LeasedPipe, move: Omit<PipeMove, 'owner' | 'pipeId' | 'nowMs'>): Promise<void> {
    const { leases, owner, clock } = this.#options;
    const whole = { owner, pipeId: pipe.id, generation, nowMs: clock.nowMs(), release: { dueMs: 0 }, ...move };
    // A command came in between: the pipe is taken again, in its new state.
    if ((await leases.move(whole)) === 'lost') await leases.release(owner, pipe.id);
  }
}

/** What the supervisor sees of a pipe decides whether its worker continues. */
function follow(worker: PipeWorker, held: HeldPipe | undefined): void {
  if (!held || !isActive(held.state)) worker.stop('lost');
  else if (isEnding(held.state)) worker.stop('halt');
  else if (held.updatedAt !== worker.version) worker.stop('edit');
  else if (held.generation !== worker.generation) worker.stop('shutdown');
}
