import type {
  AlertAcknowledged,
  AlertChannel,
  AlertSilenced,
  alertStates,
  executionErrorTypes,
  missingDataPolicies,
  thresholdTypes,
} from '../../contract/alert.ts';
import { parseDuration } from '../../kernel/duration.ts';

export type ThresholdType = (typeof thresholdTypes)[number];
export type MissingDataPolicy = (typeof missingDataPolicies)[number];
export type AlertStatus = (typeof alertStates)[number];
export type ExecutionErrorType = (typeof executionErrorTypes)[number];

/** What an alert evaluates: a tile, or how many events a saved search finds. */
export type Watched =
  | { kind: 'tile'; dashboardId: string; tileId: string }
  /** `groupBy` as written: expressions separated by commas. */
  | { kind: 'savedSearch'; savedSearchId: string; groupBy?: string };

/** An alert as its user configured it; absent fields are unset. */
export interface Alert {
  id: string;
  /** With `tileId`, or neither. */
  dashboardId?: string;
  tileId?: string;
  /** Instead of a tile. */
  savedSearchId?: string;
  groupBy?: string;
  threshold: number;
  thresholdMax?: number;
  /** The alert keeps firing until the value passes this one too; absent = the threshold itself. */
  recoveryThreshold?: number;
  thresholdType: ThresholdType;
  /** Duration text as written: `5m`, `1h`. */
  interval: string;
  /** At least one. */
  channels: AlertChannel[];
  name?: string;
  message?: string;
  note?: string;
  /** Labels, which change nothing. */
  displayName?: string;
  tags?: string[];
  detectionMode?: 'threshold';
  numConsecutiveWindows?: number;
  scheduleOffsetMinutes?: number;
  /** Verbatim, so that clients see no drift; null when a client cleared it explicitly. */
  scheduleStartAt?: string | null;
  missingData?: MissingDataPolicy;
  /** Duration text. */
  repeatInterval?: string;
  /** Absent = true. */
  enabled?: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface ExecutionError {
  timestamp: string;
  type: ExecutionErrorType;
  message: string;
}

/** What people said of an alert. */
export interface AlertMarks {
  /** As it was written, also when it is over. */
  silenced?: AlertSilenced;
  acknowledged?: AlertAcknowledged;
}

/** An alert with what the evaluator found out, and what people said: an acknowledgement only while it is of use. */
export interface StoredAlert extends AlertMarks {
  alert: Alert;
  status: AlertStatus;
  /** Unix ms, while it fires: since when. */
  firingSinceMs?: number;
  /** Absent until the first evaluation, `[]` after a clean one. */
  executionErrors?: ExecutionError[];
}

export function watchedOf(alert: Pick<Alert, 'dashboardId' | 'tileId' | 'savedSearchId' | 'groupBy'>): Watched {
  const { dashboardId, tileId, savedSearchId, groupBy } = alert;
  if (savedSearchId !== undefined) {
    return { kind: 'savedSearch', savedSearchId, ...(groupBy !== undefined && { groupBy }) };
  }
  if (dashboardId === undefined || tileId === undefined) throw new Error('an alert is stored that watches nothing');
  return { kind: 'tile', dashboardId, tileId };
}

export function isEnabled(alert: Pick<Alert, 'enabled'>): boolean {
  return alert.enabled !== false;
}

/** Windows end at `anchorMs` plus multiples of `intervalMs` (decisions A5). */
export interface AlertSchedule {
  intervalMs: number;
  anchorMs: number;
  /** No window begins before this instant (`scheduleStartAt`). */
  notBeforeMs?: number;
}

/** The schedule of a checked alert. `scheduleStartAt` wins over the offset. */
export function scheduleOf(
  alert: Pick<Alert, 'interval' | 'scheduleOffsetMinutes' | 'scheduleStartAt'>,
): AlertSchedule {
  const intervalMs = parseDuration(alert.interval);
  if (intervalMs === undefined) throw new Error('the interval of a stored alert is not a duration');
  if (alert.scheduleStartAt) {
    const startMs = Date.parse(alert.scheduleStartAt);
    return { intervalMs, anchorMs: startMs, notBeforeMs: startMs };
  }
  return { intervalMs, anchorMs: (alert.scheduleOffsetMinutes ?? 0) * 60_000 };
}

/** The end of the first window that ends after `afterMs`, and begins no earlier than the schedule. */
export function firstWindowEndAfter(schedule: AlertSchedule, afterMs: number): number {
  const { intervalMs, anchorMs, notBeforeMs } = schedule;
  const next = anchorMs + (Math.floor((afterMs - anchorMs) / intervalMs) + 1) * intervalMs;
  return notBeforeMs === undefined ? next : Math.max(next, notBeforeMs + intervalMs);
}
