import type { PipeState } from './pipe-transitions.ts';

/** How a pipe is doing that was run or commanded: its real state, as the process that runs it finds it. */
export interface PipeRun {
  state: PipeState;
  /** Why it is in this state, as a sentence for people; no secret, host or SQL. */
  reason?: string;
  /** When the state or its reason changed, ISO. */
  changedAt: string;
  progress: PipeProgress;
}

/** Totals since the pipe was created, or last resynced. */
export interface PipeProgress {
  rows: number;
  /** Of the source, as they arrived. */
  bytes: number;
  /** Records that did not fit and are in the error table. */
  errors: number;
  batches: number;
  /** When rows were last written, ISO. */
  lastSuccessAt?: string;
  /** How far the pipe is behind its source, by the last look. */
  lagMs?: number;
  /** The same in records, of sources that count them. */
  lagRecords?: number;
}

export const noProgress: PipeProgress = { rows: 0, bytes: 0, errors: 0, batches: 0 };

/** One change of state. */
export interface PipeChange {
  at: string;
  state: PipeState;
  reason?: string;
  by: 'client' | 'supervisor';
}
