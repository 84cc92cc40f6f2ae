/**
 * Work for another thread: a function of its input alone. Input and output are cloned on their way, so they are plain
 * data. What a caller has to know of a failure is returned as a value: of what is thrown, only the message arrives.
 */
export interface Task<Input, Output> {
  /** Unique in the program. */
  readonly name: string;
  run(input: Input): Output | Promise<Output>;
  /** Buffers of the output that move to the caller instead of being copied. */
  moved?(output: Output): ArrayBuffer[];
}

export interface TaskOrder {
  /** Whose work it is: tenants take turns, and none holds every thread. */
  tenantId: string;
  /** From the moment the task runs; the pool's own limit when absent. */
  deadlineMs?: number;
  /** Buffers of the input that move to the thread: the caller cannot read them any more. */
  moved?: readonly ArrayBuffer[];
  /** Aborted while the task waits, it never runs. */
  signal?: AbortSignal;
}

/** Port: runs tasks away from the event loop. */
export interface Workers {
  /**
   * @throws {WorkersBusyError} immediately, if the tenant has too many tasks waiting
   * @throws {TaskStoppedError} when the task passed its deadline or its memory
   * @throws {TaskFailedError} with the message of what the task threw
   */
  run<Input, Output>(task: Task<Input, Output>, input: Input, order: TaskOrder): Promise<Output>;
}

/** There is too much to do now; later it may be taken. */
export class WorkersBusyError extends Error {
  constructor() {
    super('too many tasks are waiting');
  }
}

export type StopReason = 'deadline' | 'memory' | 'aborted' | 'closed';

/** The task was ended from outside: it would never have come to an end within what one task may use. */
export class TaskStoppedError extends Error {
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(`the task was stopped: ${reason}`);
    this.reason = reason;
  }
}

export class TaskFailedError extends Error {}
