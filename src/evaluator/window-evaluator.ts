import type { Clock } from '../kernel/clock.ts';
import { formatTraceparent } from '../kernel/traceparent.ts';
import { noTracer, type Tracer } from '../kernel/tracer.ts';
import type { TimeRange } from '../query/chart-query.ts';
import { type ExecutionError, type ExecutionErrorType, watchedOf } from '../resources/alerts/alert.ts';
import type { AlertState, ClockSetBack } from './alert-state.ts';
import type { EvaluationResult } from './evaluation-store.ts';
import type { LeasedAlert } from './lease.ts';
import { type ComposedMessages, composeMessages } from './notification.ts';
import type { Mentions, Muting, Reading, SampleEvents, TileNames } from './ports.ts';
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
  muting: Muting;
  samples: SampleEvents;
  clock: Clock;
  tracer?: Tracer;
  /** For the windows that are still to be evaluated. */
  leaseMs: number;
}

const nothingToSend: ComposedMessages = { messages: [], unknownMentions: [] };

/** Turns one window of one alert into what is to be written; looks nothing up unless a notification is due. */
export class WindowEvaluator {
  readonly #deps: WindowEvaluatorDeps;

  constructor(deps: WindowEvaluatorDeps) {
    this.#deps = deps;
  }

  async evaluate(leased: LeasedAlert, read: ReadWindow, reading: Samples): Promise<EvaluationResult> {
    const { clock } = this.#deps;
    const unmuted = transition(toRule(leased.alert), leased.state, reading, read.window);
    if (unmuted.changes.length === 0)
      return this.#toResult(leased, read, reading, unmuted, nothingToSend, clock.nowMs());
    const step = await this.#applyMuting(leased, read, reading, unmuted);
    const nowMs = clock.nowMs();
    const composed = await this.#compose(leased, read, step, nowMs);
    return this.#toResult(leased, read, reading, step, composed, nowMs);
  }

  /** An end is notified if its start was: only messages about firing can be muted. */
  async #applyMuting(
    leased: LeasedAlert,
    { window }: ReadWindow,
    reading: Samples,
    unmuted: Transition,
  ): Promise<Transition> {
    if (unmuted.changes.every(({ reason }) => reason === 'resolved')) return unmuted;
    const { muting, clock } = this.#deps;
    const { tenantId, alert, state } = leased;
    const muted = await muting.of(tenantId, alert, [window.endMs, clock.nowMs()]);
    return transition(toRule(alert), state, reading, window, muted);
  }

  async #compose(
    { tenantId, alert, epoch }: LeasedAlert,
    { window, durationMs }: ReadWindow,
    { changes }: Transition,
    nowMs: number,
  ) {
    if (changes.length === 0) return nothingToSend;
    const { tracer = noTracer, names } = this.#deps;
    const attributes = { 'signalbox.alert.id': alert.id, 'signalbox.tenant_id': tenantId };
    const span = { name: 'alert evaluation', kind: 'internal', startMs: nowMs - durationMs, attributes } as const;
    return tracer.within(span, async () => {
      const current = tracer.current();
      const traceparent = current && formatTraceparent(current);
      const found = await names.find(tenantId, watchedOf(alert));
      const context = { tenantId, alert, epoch, window, names: found, nowMs, traceparent };
      return composeMessages(context, changes, this.#deps);
    });
  }

  #toResult(
    leased: LeasedAlert,
    read: ReadWindow,
    reading: Samples,
    { next, evaluations }: Transition,
    composed: ComposedMessages,
    nowMs: number,
  ): EvaluationResult {
    const { window, skippedWindows, isLast } = read;
    const setBack = newsOfClock(leased.state);
    // Spreads come last, here and below: each property added to a spread object costs a microsecond or more.
    return {
      state: next,
      followingWindowEndMs: window.endMs + (window.endMs - window.startMs),
      leaseUntilMs: isLast ? 0 : nowMs + this.#deps.leaseMs,
      history: {
        groups: evaluations,
        ...historyOf(read, nowMs, next),
        ...(skippedWindows > 0 && { skippedWindows }),
        ...(setBack && { clockSetBackMs: setBack.byMs }),
      },
      errors: [
        ...(setBack ? [setBackNotice(nowMs, setBack.byMs)] : []),
        ...(reading.truncated ? [truncationNotice(nowMs)] : []),
        ...composed.unknownMentions.map((name) => mentionNotice(nowMs, name)),
      ],
      notifications: composed.messages,
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
    'Evaluations from ahead of the present time do not count; evaluation continues from now.';
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
  return executionError(atMs, 'WEBHOOK_ERROR', `The message mentions @webhook-${name}, but no webhook has that name.`);
}

function truncationNotice(atMs: number): ExecutionError {
  return executionError(
    atMs,
    'QUERY_ERROR',
    'The tile has more groups than can be evaluated; groups beyond the limit keep their state.',
  );
}
