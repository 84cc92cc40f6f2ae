import type { AlertStatus, ExecutionError } from '../resources/alerts/alert.ts';
import type { GroupPart } from './ports.ts';

/** What is remembered of one group. Groups that are plainly OK are not remembered, unless a policy needs them. */
export interface GroupState {
  group: readonly GroupPart[];
  status: Exclude<AlertStatus, 'DISABLED'>;
  /** Breaching windows in a row. */
  breaches: number;
  /** End of the window in which it started to fire, Unix ms; present from the firing message to the resolved one. */
  firingSinceMs?: number;
  /** End of the window of the last firing or repeated message. */
  notifiedMs?: number;
}

export interface AlertState {
  status: AlertStatus;
  groups: readonly GroupState[];
  /** Of the query that was judged last. */
  fingerprint?: string;
}

export const freshState: AlertState = { status: 'OK', groups: [] };

/** One group's line in the history of a window. */
export interface GroupJudgement {
  group: readonly GroupPart[];
  value: number | null;
  status: GroupState['status'];
}

/** What is kept of one judged window. */
export interface HistoryEntry {
  windowStartMs: number;
  windowEndMs: number;
  judgedAtMs: number;
  /** Time that reading the tile took. */
  durationMs?: number;
  status: AlertStatus;
  groups: readonly GroupJudgement[];
  /** Windows before this one that were too many to catch up. */
  skippedWindows?: number;
  error?: ExecutionError;
}
