import type { AlertStatus, ExecutionError } from '../resources/alerts/alert.ts';
import type { GroupPart, MuteReason, NotificationReason } from './ports.ts';

/** What is remembered of one group. Groups that are plainly OK are not remembered, unless a policy needs them. */
export interface GroupState {
  group: readonly GroupPart[];
  status: Exclude<AlertStatus, 'DISABLED'>;
  /** Breaching windows in a row. */
  breaches: number;
  /** End of the window in which it started to fire, Unix ms; present from the firing message to the resolved one. */
  firingSinceMs?: number;
  /** End of the window of the last firing or repeated message; absent while no message has said that it fires. */
  notifiedMs?: number;
}

export interface AlertState {
  status: AlertStatus;
  groups: readonly GroupState[];
  /** Of the query that was evaluated last. */
  fingerprint?: string;
  /** End of the window that was evaluated last, Unix ms: one that does not begin there ends every streak. */
  evaluatedUntilMs?: number;
  /** Absent unless the clock was set back. */
  clockSetBack?: ClockSetBack;
}

/** The clock was found to have been set back: windows that end between the two instants may have been evaluated before. */
export interface ClockSetBack {
  foundMs: number;
  /** About how far. */
  byMs: number;
  /** End of the last window that was evaluated by the earlier clock, Unix ms. */
  evaluatedUntilMs: number;
}

/** Does any group fire, whatever is seen of it just now? */
export function isFiring({ groups }: AlertState): boolean {
  return groups.some(({ firingSinceMs }) => firingSinceMs !== undefined);
}

/** Does an acknowledgement of this instant (ISO 8601) say something of what fires? What started later is news. */
export function coversFiring({ groups }: AlertState, acknowledgedAt: string): boolean {
  const atMs = Date.parse(acknowledgedAt);
  return groups.some(({ firingSinceMs }) => firingSinceMs !== undefined && firingSinceMs <= atMs);
}

/** Since when the group has been firing that has done so for longest, Unix ms; `undefined` if none fires. */
export function firingSince({ groups }: AlertState): number | undefined {
  const since = groups.flatMap(({ firingSinceMs }) => (firingSinceMs === undefined ? [] : [firingSinceMs]));
  return since.length === 0 ? undefined : since.reduce((least, each) => Math.min(least, each));
}

export const freshState: AlertState = { status: 'OK', groups: [] };

/** One group's line in the history of a window. */
export interface GroupEvaluation {
  group: readonly GroupPart[];
  value: number | null;
  status: GroupState['status'];
  /** Why channels were notified of it. */
  notified?: NotificationReason;
  /** Why a notification was suppressed. */
  suppressed?: MuteReason;
}

/** What is kept of one evaluated window. */
export interface HistoryEntry {
  windowStartMs: number;
  windowEndMs: number;
  evaluatedAtMs: number;
  /** Time it took to read the tile. */
  durationMs?: number;
  status: AlertStatus;
  groups: readonly GroupEvaluation[];
  /** Windows before this one that were too many to catch up. */
  skippedWindows?: number;
  /** By how much the clock was found to have been set back before this window. */
  clockSetBackMs?: number;
  error?: ExecutionError;
}
