import type { StoredPipe } from '../resources/pipes/pipe.ts';
import type { PipeEvent, PipeState } from '../resources/pipes/pipe-transitions.ts';

/** A pipe that this process runs until its lease ends. */
export interface LeasedPipe {
  serviceId: string;
  /** The record; its secrets are sealed. */
  pipe: StoredPipe;
  state: PipeState;
  /** Troubles in a row before this run. */
  failures: number;
  /** Grows with each resync, after which the same rows are new ones. */
  generation: number;
}

/** What became of a pipe that is held. */
export interface HeldPipe {
  pipeId: string;
  state: PipeState;
  /** Of the record: another one means that it was edited. */
  updatedAt: string;
  /** Another one means that it was resynced. */
  generation: number;
}

/** A change of state by the holder of the lease. */
export interface PipeMove {
  owner: string;
  pipeId: string;
  event: PipeEvent;
  reason?: string;
  /** Of the run that found it; what a run from before a resync finds is no longer so. */
  generation?: number;
  nowMs: number;
  /** Gives the lease back; no process takes the pipe before `dueMs`. */
  release?: { dueMs: number };
  /** Troubles in a row; unchanged when absent. */
  failures?: number;
}

/** Port: one process per pipe. The lease of a dead process runs out, and another takes the pipe over. */
export interface PipeLeases {
  /** Makes up to `max` runs for records that never ran, in the state that the record is given. */
  adopt(claim: { nowMs: number; max: number }): Promise<void>;
  /** Takes up to `max` active pipes that are due and that no other process holds. */
  claimDue(claim: { owner: string; nowMs: number; leaseUntilMs: number; max: number }): Promise<LeasedPipe[]>;
  /** The pipes that `owner` still holds; with `renewUntilMs` their leases are prolonged. */
  held(owner: string, renewUntilMs?: number): Promise<HeldPipe[]>;
  /** `lost` when another holds the pipe, the event is not possible in its present state, or it was resynced. */
  move(move: PipeMove): Promise<'moved' | 'lost'>;
  release(owner: string, pipeId: string): Promise<void>;
  /** The states of pipes that run or have run, of all services. */
  states(max: number): Promise<{ pipeId: string; state: PipeState }[]>;
}
