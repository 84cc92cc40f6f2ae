import { Worker } from 'node:worker_threads';
import { type StopReason, TaskFailedError, TaskStoppedError } from '../kernel/workers.ts';
import type { OutcomeMessage, TaskMessage } from './worker-messages.ts';

export interface ThreadOptions {
  /** The thread's program. */
  file: string;
  heapMegabytesMax: number;
}

interface Pending {
  resolve: (output: unknown) => void;
  reject: (error: Error) => void;
}

/** One thread, which runs one task at a time and is thrown away when a task had to be stopped. */
export class PoolThread {
  readonly #worker: Worker;
  #pending: Pending | undefined;
  #isOver = false;

  constructor({ file, heapMegabytesMax }: ThreadOptions) {
    this.#worker = new Worker(file, {
      // Nothing in a thread needs the environment, and the secrets in it least of all.
      env: {},
      execArgv: ['--enable-source-maps'],
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
    });
    this.#worker.on('message', (message: OutcomeMessage) => this.#settle(message));
    this.#worker.on('error', (error: Error & { code?: string }) => this.#end(reasonOf(error)));
    this.#worker.on('exit', () => this.#end(new TaskStoppedError('closed')));
    this.#worker.unref();
  }

  /** `false` once it has ended; it takes no task then. */
  get isUsable(): boolean {
    return !this.#isOver;
  }

  run(message: TaskMessage, moved: readonly ArrayBuffer[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      try {
        this.#worker.postMessage(message, [...moved]);
      } catch (error) {
        this.#pending = undefined;
        reject(new TaskFailedError(error instanceof Error ? error.message : 'the input cannot be sent'));
      }
    });
  }

  /** Ends the thread, and with it the task that it runs. */
  async stop(reason: StopReason): Promise<void> {
    this.#end(new TaskStoppedError(reason));
    await this.#worker.terminate();
  }

  #settle(message: OutcomeMessage): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (message.kind === 'done') pending?.resolve(message.output);
    else pending?.reject(new TaskFailedError(message.message));
  }

  #end(error: Error): void {
    this.#isOver = true;
    this.#pending?.reject(error);
    this.#pending = undefined;
  }
}

function reasonOf(error: Error & { code?: string }): Error {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return new TaskStoppedError('memory');
  return new TaskFailedError(error.message);
}
