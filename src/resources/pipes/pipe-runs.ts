import type { PipeChange, PipeRun } from './pipe-run.ts';
import type { PipeCommand, PipeFamily, PipeState } from './pipe-transitions.ts';

export interface PipeOrder {
  serviceId: string;
  pipeId: string;
  family: PipeFamily;
  /** State of the record, for a pipe that never ran. */
  given: string;
  nowMs: number;
}

export type CommandOutcome = { kind: 'done'; run: PipeRun } | { kind: 'impossible'; state: PipeState };

/** Port: what clients ask of running pipes. The process that runs a pipe sees it within a second. */
export interface PipeRuns {
  command(order: PipeOrder & { command: PipeCommand }): Promise<CommandOutcome>;
  /** The record was given another state: it counts as if the pipe never ran; positions stay. */
  restate(order: PipeOrder): Promise<void>;
  /** The latest changes of state, newest first. */
  history(serviceId: string, pipeId: string): Promise<PipeChange[]>;
}

/** Changes of state that are kept per pipe. */
export const pipeChangesMax = 100;
