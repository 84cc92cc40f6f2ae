import type { TimeRange } from '../query/chart-query.ts';
import type { AlertSchedule } from '../resources/alerts/alert.ts';

/** Missed windows that are still judged after a pause; older ones are skipped and counted (decisions A5). */
export const catchUpWindowsMax = 50;

export interface DueWindows {
  /** Oldest first, each one interval long. */
  windows: readonly TimeRange[];
  skipped: number;
}

/**
 * The windows that have ended by `completeUntilMs` (now minus the late-data delay), from the one that ends at
 * `nextWindowEndMs` on.
 */
export function dueWindows(schedule: AlertSchedule, nextWindowEndMs: number, completeUntilMs: number): DueWindows {
  const { intervalMs } = schedule;
  const ended = Math.floor((completeUntilMs - nextWindowEndMs) / intervalMs) + 1;
  if (ended <= 0) return { windows: [], skipped: 0 };
  const skipped = Math.max(0, ended - catchUpWindowsMax);
  const windows: TimeRange[] = [];
  for (let index = skipped; index < ended; index++) {
    const endMs = nextWindowEndMs + index * intervalMs;
    windows.push({ startMs: endMs - intervalMs, endMs });
  }
  return { windows, skipped };
}
