import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { SetBackWatch, setBackToleranceMs } from '../kernel/set-back-watch.ts';
import { type Alert, firstWindowEndAfter, scheduleOf } from '../resources/alerts/alert.ts';
import type { AlertState, GroupState } from './alert-state.ts';
import { catchUpWindowsMax } from './windows.ts';

/** An alert with its next look, which is far ahead. */
export interface FarAlert {
  tenantId: string;
  alert: Alert;
  epoch: number;
  nextWindowEndMs: number;
  /** When it would be looked at, the late-data delay left aside. */
  dueMs: number;
  state: AlertState;
}

/** A row of the history, as far as it says when a window was evaluated. */
export interface EvaluatedWindow {
  windowEndMs: number;
  /** By the clock of that time. */
  evaluatedAtMs: number;
  /** The window could not be read; it is tried again. */
  failed: boolean;
}

export interface MovedAlert {
  tenantId: string;
  alertId: string;
  /** As it was; the alert is left alone when it has changed since. */
  epoch: number;
  nextWindowEndMs: number;
  state: AlertState;
}

/** Port: alerts that a clock which was ahead has left behind. */
export interface FarAlerts {
  /** Enabled alerts whose next look is after `dueAfterMs`, by id, those after `afterId`. */
  listFar(request: { dueAfterMs: number; afterId: string; limit: number }): Promise<FarAlert[]>;
  /** The newest windows in the alert's history that end by `endedByMs`, newest first. */
  lastWindows(request: { alertId: string; endedByMs: number; limit: number }): Promise<EvaluatedWindow[]>;
  /** Makes them due again. Later windows are removed from their histories, and running evaluations are rejected. */
  moveBack(moved: readonly MovedAlert[]): Promise<void>;
  /** Ends leases that would last beyond this instant. */
  endLeasesAfter(untilMs: number): Promise<void>;
}

export interface ClockWatchOptions {
  alerts: FarAlerts;
  clock: Clock;
  logger: Logger;
  leaseMs: number;
}

/** Another process may have been the one whose clock was ahead. */
const everyMs = 10 * 60_000;
const pageSize = 500;

/**
 * Finds out that the clock was set back, also before this process was started, and has alerts evaluated from the
 * present time on. A window that was evaluated long before its end, as the present clock has it, counts as not evaluated.
 */
export class ClockWatch {
  readonly #options: ClockWatchOptions;
  readonly #watch = new SetBackWatch();
  #checkedMs = 0;

  constructor(options: ClockWatchOptions) {
    this.#options = options;
  }

  /** Quick unless there is reason to look. */
  async check(): Promise<void> {
    const nowMs = this.#options.clock.nowMs();
    const wasSetBack = this.#watch.wasSetBack(nowMs);
    if (!wasSetBack && nowMs < this.#checkedMs + everyMs) return;
    await this.#repair(nowMs);
    this.#checkedMs = nowMs;
  }

  async #repair(nowMs: number): Promise<void> {
    const { alerts, logger, leaseMs } = this.#options;
    await alerts.endLeasesAfter(nowMs + leaseMs + setBackToleranceMs);
    let afterId = '';
    let count = 0;
    for (;;) {
      const far = await alerts.listFar({ dueAfterMs: nowMs + setBackToleranceMs, afterId, limit: pageSize });
      const moved: MovedAlert[] = [];
      for (const each of far) moved.push(...(await this.#moveBack(each, nowMs)));
      if (moved.length > 0) await alerts.moveBack(moved);
      count += moved.length;
      const last = far.at(-1);
      if (!last || far.length < pageSize) break;
      afterId = last.alert.id;
    }
    if (count > 0) logger.warn({ alerts: count }, 'the clock was set back: alerts are evaluated from now on');
  }

  /** Nothing when the alert's next look is where it belongs. */
  async #moveBack(far: FarAlert, nowMs: number): Promise<MovedAlert[]> {
    const { tenantId, alert, epoch, dueMs, state } = far;
    const schedule = scheduleOf(alert);
    const byMs = dueMs - firstWindowEndAfter(schedule, nowMs);
    if (byMs <= setBackToleranceMs) return [];
    const nextWindowEndMs = await this.#nextWindowEnd(far, nowMs);
    const { evaluatedUntilMs = nowMs, ...rest } = state;
    const clockSetBack = { foundMs: nowMs, byMs, evaluatedUntilMs };
    const moved = { ...withoutFuture(rest, nextWindowEndMs - schedule.intervalMs), clockSetBack };
    return [{ tenantId, alertId: alert.id, epoch, nextWindowEndMs, state: moved }];
  }

  /** After the last window that was evaluated in time; an edit since then may have moved the schedule. */
  async #nextWindowEnd({ alert, nextWindowEndMs }: FarAlert, nowMs: number): Promise<number> {
    if (nextWindowEndMs <= nowMs) return nextWindowEndMs;
    const schedule = scheduleOf(alert);
    const request = { alertId: alert.id, endedByMs: nowMs, limit: catchUpWindowsMax + 1 };
    const windows = await this.#options.alerts.lastWindows(request);
    const first = firstWindowEndAfter(schedule, nowMs);
    const last = windows.find(({ evaluatedAtMs, failed }) => evaluatedAtMs <= nowMs + setBackToleranceMs && !failed);
    const oldest = windows.at(-1);
    // More than are caught up were evaluated too early: the older ones do not matter.
    if (!last && oldest && windows.length === request.limit) return Math.min(first, oldest.windowEndMs);
    const editedMs = Date.parse(alert.updatedAt);
    const sinceMs = Math.max(editedMs <= nowMs ? editedMs : 0, last?.windowEndMs ?? 0) || nowMs;
    return Math.min(first, firstWindowEndAfter(schedule, sinceMs));
  }
}

/** A firing alert keeps firing, never since a time in the future; streaks start again. */
function withoutFuture(state: Omit<AlertState, 'evaluatedUntilMs'>, startMs: number): AlertState {
  const groups = state.groups.map(
    ({ firingSinceMs, notifiedMs, ...group }): GroupState => ({
      ...group,
      breaches: 0,
      ...(firingSinceMs !== undefined && { firingSinceMs: Math.min(firingSinceMs, startMs) }),
      ...(notifiedMs !== undefined && { notifiedMs: Math.min(notifiedMs, startMs) }),
    }),
  );
  return { ...state, groups };
}
