import type { Clock } from '../kernel/clock.ts';
import { type Task, type TaskOrder, TaskStoppedError, type Workers, WorkersBusyError } from '../kernel/workers.ts';
import { FairQueue } from './fair-queue.ts';
import { PoolThread } from './pool-thread.ts';

export interface WorkerPoolOptions {
  /** The threads' program, which calls `serveTasks`. */
  file: string;
  clock: Clock;
  /** Started when they are first needed. */
  threadsMax: number;
  /** Of one task; a task that needs more is stopped, and its thread with it. */
  heapMegabytesMax?: number;
  /** Of one task that names none. */
  deadlineMs?: number;
  /** Limit of waiting tasks per tenant; more are rejected. */
  waitingPerTenantMax?: number;
}

interface Waiting {
  name: string;
  input: unknown;
  order: TaskOrder;
  resolve: (output: unknown) => void;
  reject: (error: unknown) => void;
}

/**
 * Threads for work that would block the event loop. Tenants take turns, and as long as there is more than one thread,
 * one tenant never occupies all of them. A task has a deadline and a separate heap: if it exceeds either, its thread is
 * terminated, and the next task gets a new one.
 */
export class WorkerPool implements Workers {
  readonly #options: Required<WorkerPoolOptions>;
  readonly #queue: FairQueue<Waiting>;
  readonly #idle: PoolThread[] = [];
  readonly #busy = new Set<PoolThread>();
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = { heapMegabytesMax: 256, deadlineMs: 10_000, waitingPerTenantMax: 64, ...options };
    this.#queue = new FairQueue({
      waitingPerTenantMax: this.#options.waitingPerTenantMax,
      runningPerTenantMax: Math.max(1, options.threadsMax - 1),
    });
  }

  async run<Input, Output>(task: Task<Input, Output>, input: Input, order: TaskOrder): Promise<Output> {
    if (this.#isClosed) throw new TaskStoppedError('closed');
    const output = new Promise<unknown>((resolve, reject) => {
      const waiting = { name: task.name, input, order, resolve, reject };
      if (!this.#queue.offer(order.tenantId, waiting)) reject(new WorkersBusyError());
    });
    this.#next();
    // The thread runs the very task that was named.
    return output as Promise<Output>;
  }

  /** Stops every task; its callers get an error. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#queue.clear()) reject(new TaskStoppedError('closed'));
    const threads = [...this.#idle.splice(0), ...this.#busy];
    await Promise.all(threads.map((thread) => thread.stop('closed')));
  }

  #next(): void {
    while (this.#busy.size < this.#options.threadsMax) {
      const next = this.#queue.take();
      if (!next) return;
      void this.#give(next.item).finally(() => {
        this.#queue.finished(next.tenantId);
        this.#next();
      });
    }
  }

  async #give({ name, input, order, resolve, reject }: Waiting): Promise<void> {
    if (order.signal?.aborted) return reject(new TaskStoppedError('aborted'));
    const thread = this.#freeThread();
    this.#busy.add(thread);
    const deadlineMs = order.deadlineMs ?? this.#options.deadlineMs;
    const cancelDeadline = this.#options.clock.after(deadlineMs, () => void thread.stop('deadline'));
    try {
      resolve(await thread.run({ task: name, input }, order.moved ?? []));
    } catch (error) {
      reject(error);
    } finally {
      cancelDeadline();
      this.#busy.delete(thread);
      if (thread.isUsable) this.#idle.push(thread);
    }
  }

  #freeThread(): PoolThread {
    for (let thread = this.#idle.pop(); thread; thread = this.#idle.pop()) {
      if (thread.isUsable) return thread;
    }
    return new PoolThread(this.#options);
  }
}
