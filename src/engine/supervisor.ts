import { type Clock, delay } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import { ChildProcessLink, type EngineExit } from './child-process.ts';
import { type EngineEndpoint, publishEndpoint, withdrawEndpoint } from './endpoint-file.ts';
import type { EngineChildOptions, EngineUsage } from './engine-messages.ts';

export type EngineState = 'starting' | 'ready' | 'down' | 'stopped';

export type EngineEvent =
  | { kind: 'ready'; pid: number; restarts: number }
  | { kind: 'exited'; pid: number; exit: EngineExit; errorOutput: string }
  | { kind: 'restartFailed'; reason: string; errorOutput: string; nextDelayMs: number };

export interface EngineSupervisorOptions extends Omit<EngineChildOptions, 'secret'> {
  /** The child's program: `engine-child.js`. */
  childFile: string;
  clock: Clock;
  ids: Ids;
  /** For log lines; must not throw. */
  onEvent?: (event: EngineEvent) => void;
  /** How long a folder that another process holds is waited for: the engine of a killed parent may still be closing. */
  lockWaitMs?: number;
  /** How long running statements may take to end when the engine is stopped. */
  stopGraceMs?: number;
}

/** Another process works in the data folder. */
export class DataFolderLockedError extends Error {
  constructor(dataDir: string) {
    super(`the data folder ${dataDir} is in use by another process`);
    this.name = 'DataFolderLockedError';
  }
}

export class EngineStartError extends Error {
  /** What the engine wrote to its standard error. */
  readonly errorOutput: string;

  constructor(reason: string, errorOutput: string) {
    super(`the embedded engine did not start: ${reason}`);
    this.name = 'EngineStartError';
    this.errorOutput = errorOutput;
  }
}

const restartDelayMinMs = 250;
const restartDelayMaxMs = 10_000;
/** A child that ran this long has started well: its next restart is immediate again. */
const steadyAfterMs = 10_000;
const lockRetryMs = 250;
/** Error 76 also means files that can't be opened for lack of permissions; those have a different message. */
const isLocked = (line: string) => line.includes('Code: 76.') && line.includes('Cannot lock file');

type Opened = { kind: 'ready' } | { kind: 'failed'; reason: string; errorOutput: string; locked: boolean };

/** Keeps one engine child running (decisions E1). The program keeps running while the engine is down. */
export class EngineSupervisor {
  readonly #options: EngineSupervisorOptions;
  readonly #stopping = new AbortController();
  #state: EngineState = 'starting';
  #link: ChildProcessLink | undefined;
  #endpoint: EngineEndpoint | undefined;
  #watching: Promise<void> = Promise.resolve();
  #restarts = 0;

  constructor(options: EngineSupervisorOptions) {
    this.#options = options;
  }

  get state(): EngineState {
    return this.#state;
  }

  /** Times that the child was started again after it had been ready. */
  get restarts(): number {
    return this.#restarts;
  }

  /** `undefined` while the engine is not ready. */
  get endpoint(): EngineEndpoint | undefined {
    return this.#endpoint;
  }

  /** The process id of the running child. */
  get pid(): number | undefined {
    return this.#link?.pid;
  }

  /** Resolves when the engine answers; throws `DataFolderLockedError` or `EngineStartError`. */
  async start(): Promise<void> {
    const { clock, lockWaitMs = 10_000 } = this.#options;
    const deadlineMs = clock.nowMs() + lockWaitMs;
    for (;;) {
      const outcome = await this.#open();
      if (outcome.kind === 'ready') break;
      if (!outcome.locked) throw new EngineStartError(outcome.reason, outcome.errorOutput);
      if (clock.nowMs() >= deadlineMs) throw new DataFolderLockedError(this.#options.dataDir);
      await delay(clock, lockRetryMs, this.#stopping.signal);
    }
    this.#watching = this.#watch();
  }

  /** Memory and time of the child; `undefined` while there is none. */
  usage(): Promise<EngineUsage | undefined> {
    return this.#link?.usage() ?? Promise.resolve(undefined);
  }

  /** Lets running statements end, closes the engine, and kills it when that takes longer than the grace period. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#endpoint) withdrawEndpoint(this.#options.dataDir);
    this.#endpoint = undefined;
    this.#state = 'stopped';
    await this.#link?.stop(this.#options.clock, this.#options.stopGraceMs ?? 5_000);
    await this.#watching;
  }

  async #open(): Promise<Opened> {
    const { dataDir, memoryBytesMax, concurrencyMax, fsync, childFile, ids } = this.#options;
    const secret = ids.secret(24);
    const link = new ChildProcessLink(childFile, { dataDir, secret, memoryBytesMax, concurrencyMax, fsync });
    this.#link = link;
    const outcome = await link.opened;
    if (outcome.kind === 'ready') {
      if (this.#stopping.signal.aborted)
        return { kind: 'failed', reason: 'stopped meanwhile', errorOutput: '', locked: false };
      this.#endpoint = { url: `http://127.0.0.1:${outcome.port}`, user: 'signalbox', secret };
      publishEndpoint(dataDir, this.#endpoint);
      this.#state = 'ready';
      this.#options.onEvent?.({ kind: 'ready', pid: link.pid, restarts: this.#restarts });
      return { kind: 'ready' };
    }
    link.kill();
    await link.exited;
    // chDB reports the reason of a failed start on the standard error only.
    const said = link.errorOutput.trim();
    const locked = said.split('\n').some(isLocked);
    return { kind: 'failed', reason: outcome.reason, errorOutput: said, locked };
  }

  async #watch(): Promise<void> {
    const { clock, onEvent } = this.#options;
    let delayMs = 0;
    while (this.#link) {
      const startedMs = clock.nowMs();
      const exit = await this.#link.exited;
      this.#endpoint = undefined;
      if (this.#stopping.signal.aborted) return;
      this.#state = 'down';
      onEvent?.({ kind: 'exited', pid: this.#link.pid, exit, errorOutput: this.#link.errorOutput });
      if (clock.nowMs() - startedMs >= steadyAfterMs) delayMs = 0;
      delayMs = await this.#restart(delayMs);
      if (this.#stopping.signal.aborted) return;
    }
  }

  /** Tries until the engine is ready again; returns the delay to begin with should it die young. */
  async #restart(firstDelayMs: number): Promise<number> {
    const { clock, onEvent } = this.#options;
    for (let delayMs = firstDelayMs; ; ) {
      if (delayMs > 0) await delay(clock, delayMs, this.#stopping.signal);
      delayMs = Math.min(Math.max(delayMs * 2, restartDelayMinMs), restartDelayMaxMs);
      if (this.#stopping.signal.aborted) return delayMs;
      this.#restarts++;
      const outcome = await this.#open();
      if (outcome.kind === 'ready' || this.#stopping.signal.aborted) return delayMs;
      const { reason, errorOutput } = outcome;
      onEvent?.({ kind: 'restartFailed', reason, errorOutput, nextDelayMs: delayMs });
    }
  }
}
