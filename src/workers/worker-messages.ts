/** To a thread: one task at a time. */
export interface TaskMessage {
  task: string;
  input: unknown;
}

/** From a thread. */
export type OutcomeMessage = { kind: 'done'; output: unknown } | { kind: 'failed'; message: string };
