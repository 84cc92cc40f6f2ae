import type { PipeChange } from '../resources/pipes/pipe-run.ts';
import type { PipeState } from '../resources/pipes/pipe-transitions.ts';

/** What the process that runs pipes keeps. Times are Unix ms. */
export interface PipeTables {
  pipe_runs: PipeRunRow;
  pipe_positions: PipePositionRow;
  pipe_changes: PipeChangeRow;
}

interface PipeRunRow {
  pipe_id: string;
  tenant_id: string;
  state: PipeState;
  reason: string | null;
  changed_ms: number;
  /** Not looked at before: a pause after a failure. */
  due_ms: number;
  /** Troubles in a row. */
  failures: number;
  /** Grows with each resync, after which the same rows are new ones. */
  generation: number;
  lease_owner: string | null;
  /** 0 = not leased. */
  lease_until_ms: number;
  /** JSON of `PipeProgress`. */
  progress: string;
}

interface PipePositionRow {
  pipe_id: string;
  /** What of the source it is about: an object, a partition, a slot. */
  key: string;
  position: string;
}

interface PipeChangeRow {
  pipe_id: string;
  /** Counts up per pipe. */
  number: number;
  at_ms: number;
  state: PipeState;
  reason: string | null;
  source: PipeChange['by'];
}
