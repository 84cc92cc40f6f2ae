import { type ChildProcess, fork } from 'node:child_process';
import type { Clock } from '../kernel/clock.ts';
import type { ChildMessage, EngineChildOptions, EngineUsage, ParentMessage } from './engine-messages.ts';

export interface EngineExit {
  code: number | null;
  signal: string | null;
}

export type OpenOutcome = { kind: 'ready'; port: number } | { kind: 'failed'; reason: string };

/** Threads beside those that run statements: classification, kills, insert files. */
const spareThreads = 8;
const errorOutputMax = 4_096;

/** One engine process and the messages to and from it. */
export class ChildProcessLink {
  /** How the start ended; never rejects. */
  readonly opened: Promise<OpenOutcome>;
  readonly exited: Promise<EngineExit>;
  readonly #process: ChildProcess;
  #errorOutput = '';
  #hasExited = false;

  constructor(childFile: string, options: EngineChildOptions) {
    this.#process = fork(childFile, [], {
      // A running statement holds a thread of libuv's pool; none may be short of one. The parent's environment, and
      // with it every secret in it, stays outside.
      env: { UV_THREADPOOL_SIZE: String(options.concurrencyMax + spareThreads), TZ: 'UTC' },
      execArgv: ['--enable-source-maps'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    // A pipe that breaks while its process dies must not end ours.
    this.#process.stderr?.on('error', () => undefined);
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errorOutput = (this.#errorOutput + text).slice(-errorOutputMax);
    });
    this.exited = new Promise((resolve) => {
      this.#process.once('exit', () => {
        this.#hasExited = true;
      });
      // `close` comes when its standard error has been read to the end as well.
      this.#process.once('close', (code, signal) => resolve({ code, signal }));
      this.#process.on('error', (error) => {
        // It could not even be started: no process, no standard error.
        this.#errorOutput += 'code' in error ? String(error.code) : error.name;
        this.#hasExited = true;
        resolve({ code: null, signal: null });
      });
    });
    this.opened = this.#untilOpened();
    this.#send({ kind: 'start', options });
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** The last that the process wrote to its standard error. */
  get errorOutput(): string {
    return this.#errorOutput;
  }

  /** `undefined` when the process ends before it answers. */
  usage(): Promise<EngineUsage | undefined> {
    if (this.#hasExited) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const listen = (message: ChildMessage) => {
        if (message.kind === 'usage') settle(message.usage);
      };
      const settle = (usage: EngineUsage | undefined) => {
        this.#process.off('message', listen);
        resolve(usage);
      };
      this.#process.on('message', listen);
      void this.exited.then(() => settle(undefined));
      this.#send({ kind: 'usage' });
    });
  }

  async stop(clock: Clock, graceMs: number): Promise<void> {
    if (this.#hasExited) return;
    this.#send({ kind: 'stop' });
    const cancelKill = clock.after(graceMs, () => this.kill());
    await this.exited;
    cancelKill();
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  #untilOpened(): Promise<OpenOutcome> {
    return new Promise((resolve) => {
      this.#process.on('message', (message: ChildMessage) => {
        if (message.kind === 'ready') resolve(message);
        if (message.kind === 'failed') resolve({ kind: 'failed', reason: message.message });
      });
      void this.exited.then(({ code, signal }) => {
        resolve({ kind: 'failed', reason: `exited with ${signal ?? code}` });
      });
    });
  }

  #send(message: ParentMessage): void {
    // A message to a process that is just dying fails; its exit shows it.
    if (this.#process.connected) this.#process.send(message, () => {});
  }
}
