import type { TimeRange } from '../query/chart-query.ts';
import type { AlertSchedule } from '../resources/alerts/alert.ts';
import type { ClockSetBack } from './alert-state.ts';

/** Missed windows that are still evaluated after a pause; older ones are skipped and counted (decisions A5). */
export const catchUpWindowsMax = 50;

export interface DueWindow extends TimeRange {
  /** Windows right before it that are never evaluated. */
  skippedBefore: number;
}

/**
 * The windows that have ended by `completeUntilMs` (now minus the late-data delay), from the one that ends at
 * `nextWindowEndMs` on; oldest first, each one interval long. After the clock was set back, windows that may have been
 * evaluated before are evaluated as they end, but not caught up.
 */
export function dueWindows(
  schedule: AlertSchedule,
  nextWindowEndMs: number,
  completeUntilMs: number,
  setBack?: ClockSetBack,
): DueWindow[] {
  const { intervalMs } = schedule;
  const ended = Math.max(0, Math.floor((completeUntilMs - nextWindowEndMs) / intervalMs) + 1);
  const windows: DueWindow[] = [];
  let skippedBefore = Math.max(0, ended - catchUpWindowsMax);
  for (let index = skippedBefore; index < ended; index++) {
    const endMs = nextWindowEndMs + index * intervalMs;
    if (index < ended - 1 && mayBeKnown(endMs, setBack)) {
      skippedBefore += 1;
      continue;
    }
    windows.push({ startMs: endMs - intervalMs, endMs, skippedBefore });
    skippedBefore = 0;
  }
  return windows;
}

function mayBeKnown(endMs: number, setBack: ClockSetBack | undefined): boolean {
  return setBack !== undefined && endMs > setBack.foundMs && endMs <= setBack.evaluatedUntilMs;
}
