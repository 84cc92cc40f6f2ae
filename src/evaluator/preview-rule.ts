import type { TimeRange } from '../query/chart-query.ts';
import { type Alert, type AlertSchedule, firstWindowEndAfter, scheduleOf } from '../resources/alerts/alert.ts';
import { type AlertState, freshState, type GroupEvaluation } from './alert-state.ts';
import type { Firing, PreviewedRule, PreviewedWindow, WindowReadings } from './ports.ts';
import { toRule } from './rule-of-alert.ts';
import { breaks, type Threshold } from './threshold.ts';
import { type Change, groupKey, transition } from './transition.ts';

/** Groups evaluated in one go before other work gets a turn. */
const evaluationsPerTurn = 5_000;

/** The whole windows of a schedule within the range, as one stretch; empty when there is none. */
export function windowsWithin(schedule: AlertSchedule, { startMs, endMs }: TimeRange): TimeRange & { count: number } {
  const { intervalMs } = schedule;
  const firstStartMs = firstWindowEndAfter(schedule, startMs - 1 + intervalMs) - intervalMs;
  const count = Math.max(0, Math.floor((endMs - firstStartMs) / intervalMs));
  return { startMs: firstStartMs, endMs: firstStartMs + count * intervalMs, count };
}

/**
 * What the alert would have done over these windows, had it been made at their start: the live step, window by window
 * (decisions A6, A7). Other work gets its turn meanwhile; rejects with the signal's reason when that aborts.
 */
export async function previewRule(
  alert: Alert,
  stretch: TimeRange,
  readings: WindowReadings,
  signal: AbortSignal,
): Promise<PreviewedRule> {
  const { intervalMs } = scheduleOf(alert);
  const rule = toRule(alert);
  const windows: PreviewedWindow[] = [];
  const firings = new FiringLog();
  let state: AlertState = freshState;
  let evaluated = 0;
  for (let startMs = stretch.startMs; startMs < stretch.endMs; startMs += intervalMs) {
    const window = { startMs, endMs: startMs + intervalMs };
    const { next, changes, evaluations } = transition(rule, state, readings.of(startMs), window);
    firings.note(changes, window.endMs);
    windows.push({ ...window, value: worstValue(rule, evaluations), status: next.status });
    state = next;
    evaluated += 1 + evaluations.length;
    if (evaluated < evaluationsPerTurn) continue;
    evaluated = 0;
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
  const { all, notices } = firings;
  return { windows, firings: all, notifications: notices * alert.channels.length, grouped: readings.grouped };
}

/** Collects when groups started and ceased to fire. */
class FiringLog {
  readonly all: Firing[] = [];
  /** Events that a channel would have been notified of. */
  notices = 0;
  readonly #open = new Map<string, Firing>();

  note(changes: readonly Change[], atMs: number): void {
    this.notices += changes.length;
    for (const { reason, group, value } of changes) {
      const key = groupKey(group);
      if (reason === 'firing') {
        const firing: Firing = { group, value, startedMs: atMs };
        this.all.push(firing);
        this.#open.set(key, firing);
      }
      if (reason !== 'resolved') continue;
      const open = this.#open.get(key);
      if (open) open.endedMs = atMs;
      this.#open.delete(key);
    }
  }
}

/** The value that comes closest to firing, or is furthest beyond; of a tile without groups its only one. */
function worstValue(rule: Threshold, evaluations: readonly GroupEvaluation[]): number | null {
  let worst: number | null = null;
  for (const { value } of evaluations) {
    if (value !== null && (worst === null || isWorse(rule, value, worst))) worst = value;
  }
  return worst;
}

function isWorse(rule: Threshold, value: number, than: number): boolean {
  if (breaks(rule, value) !== breaks(rule, than)) return breaks(rule, value);
  const low = rule.thresholdType === 'below' || rule.thresholdType === 'below_or_equal';
  return low ? value < than : value > than;
}
