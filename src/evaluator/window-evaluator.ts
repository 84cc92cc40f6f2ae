import type { Clock } from '../kernel/clock.ts';
import type { TimeRange } from '../query/chart-query.ts';
import { type ExecutionError, type ExecutionErrorType, watchedOf } from '../resources/alerts/alert.ts';
import type { AlertState, ClockSetBack } from './alert-state.ts';
import type { EvaluationResult } from './evaluation-store.ts';
import type { LeasedAlert } from './lease.ts';
import { type Telling, tell } from './notification.ts';
import type { Mentions, Quieting, Reading, SampleEvents, TileNames } from './ports.ts';
import { toRule } from './rule-of-alert.ts';
import { type Transition, transition } from './transition.ts';

/** A window and how long reading the tile took. */
export interface ReadWindow {
  window: TimeRange;
  durationMs: number;
  /** Windows before this one that are never evaluated. */
  skippedWindows: number;
  /** None is due after it. */
  isLast: boolean;
}

export type Samples = Extract<Reading, { kind: 'samples' }>;

export interface WindowEvaluatorDeps {
  names: TileNames;
  mentions: Mentions;
  quieting: Quieting;
  samples: SampleEvents;
  clock: Clock;
  /** For the windows that are still to be evaluated. */
  leaseMs: number;
}

const nothingTold: Telling = { messages: [], unknownMentions: [] };

/** Makes of one window of one alert what is to be written: nothing is looked up unless there is something to tell. */
export class WindowEvaluator {
  readonly #parts: WindowEvaluatorDeps;

  constructor(parts: WindowEvaluatorDeps) {
    this.#parts = parts;
  }

  async evaluate(leased: LeasedAlert, read: ReadWindow, reading: Samples): Promise<EvaluationResult> {
    const { clock } = this.#parts;
    const aloud = transition(toRule(leased.alert), leased.state, reading, read.window);
    if (aloud.changes.length === 0) return this.#toResult(leased, read, reading, aloud, nothingTold, clock.nowMs());
    const step = await this.#quieted(leased, read, reading, aloud);
    const nowMs = clock.nowMs();
    const told = await this.#tell(leased, read, step, nowMs);
    return this.#toResult(leased, read, reading, step, told, nowMs);
  }

  /** An end is told if its start was: only what would be told as firing can be silenced. */
  async #quieted(
    leased: LeasedAlert,
    { window }: ReadWindow,
    reading: Samples,
    aloud: Transition,
  ): Promise<Transition> {
    if (aloud.changes.every(({ reason }) => reason === 'resolved')) return aloud;
    const { quieting, clock } = this.#parts;
    const { tenantId, alert, state } = leased;
    const quiet = await quieting.of(tenantId, alert, [window.endMs, clock.nowMs()]);
    return transition(toRule(alert), state, reading, window, quiet);
  }

  async #tell({ tenantId, alert, epoch }: LeasedAlert, { window }: ReadWindow, { changes }: Transition, nowMs: number) {
    if (changes.length === 0) return nothingTold;
    const names = await this.#parts.names.find(tenantId, watchedOf(alert));
    return tell({ tenantId, alert, epoch, window, names, nowMs }, changes, this.#parts);
  }

  #toResult(
    leased: LeasedAlert,
    read: ReadWindow,
    reading: Samples,
    { next, evaluations }: Transition,
    told: Telling,
    nowMs: number,
  ): EvaluationResult {
    const { window, skippedWindows, isLast } = read;
    const setBack = newsOfClock(leased.state);
    // What is spread stands last, here and below: added to a spread object each property costs a microsecond and more.
    return {
      state: next,
      followingWindowEndMs: window.endMs + (window.endMs - window.startMs),
      leaseUntilMs: isLast ? 0 : nowMs + this.#parts.leaseMs,
      history: {
        groups: evaluations,
        ...historyOf(read, nowMs, next),
        ...(skippedWindows > 0 && { skippedWindows }),
        ...(setBack && { clockSetBackMs: setBack.byMs }),
      },
      errors: [
        ...(setBack ? [setBackNotice(nowMs, setBack.byMs)] : []),
        ...(reading.truncated ? [truncationNotice(nowMs)] : []),
        ...told.unknownMentions.map((name) => mentionNotice(nowMs, name)),
      ],
      notifications: told.messages,
      ...basisOf(leased),
    };
  }
}

/** Said with the first window that is evaluated after the clock was set back. */
function newsOfClock({ clockSetBack, evaluatedUntilMs }: AlertState): ClockSetBack | undefined {
  return evaluatedUntilMs === undefined ? clockSetBack : undefined;
}

function setBackNotice(atMs: number, byMs: number): ExecutionError {
  const text =
    `The clock was ahead by about ${Math.round(byMs / 60_000)} minutes and has been set back. ` +
    'What was evaluated ahead of its time does not count; evaluation goes on from the present time.';
  return executionError(atMs, 'UNKNOWN', text);
}

/** What an evaluation is based on. */
export function basisOf({ tenantId, alert, epoch, nextWindowEndMs }: LeasedAlert) {
  return { tenantId, alertId: alert.id, epoch, nextWindowEndMs };
}

export function historyOf({ window, durationMs }: ReadWindow, evaluatedAtMs: number, { status }: AlertState) {
  return { windowStartMs: window.startMs, windowEndMs: window.endMs, evaluatedAtMs, durationMs, status };
}

export function executionError(atMs: number, type: ExecutionErrorType, message: string): ExecutionError {
  return { timestamp: new Date(atMs).toISOString(), type, message };
}

function mentionNotice(atMs: number, name: string): ExecutionError {
  return executionError(atMs, 'WEBHOOK_ERROR', `The message mentions @webhook-${name}, but no webhook is called so.`);
}

function truncationNotice(atMs: number): ExecutionError {
  return executionError(
    atMs,
    'QUERY_ERROR',
    'The tile has more groups than can be evaluated; groups that were cut off keep their state.',
  );
}
