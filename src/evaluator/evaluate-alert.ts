import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { TimeRange } from '../query/chart-query.ts';
import { type ExecutionError, type ExecutionErrorType, scheduleOf, watchedOf } from '../resources/alerts/alert.ts';
import type { AlertState } from './alert-state.ts';
import type { EvaluationStore } from './evaluation-store.ts';
import type { LeasedAlert } from './lease.ts';
import { tell } from './notification.ts';
import type { Mentions, Quieting, Reading, SampleEvents, TileNames, TileReader } from './ports.ts';
import { ReadBudgets } from './read-budget.ts';
import { toRule } from './rule-of-alert.ts';
import { type Transition, transition } from './transition.ts';
import { dueWindows } from './windows.ts';

export interface EvaluateOptions {
  reader: TileReader;
  names: TileNames;
  mentions: Mentions;
  quieting: Quieting;
  samples: SampleEvents;
  store: EvaluationStore;
  clock: Clock;
  logger: Logger;
  /** Time that late rows are given after the end of a window (decisions A5). */
  delayMs: number;
  /** One read may take so long; a hanging source delays only its own alerts (U-25). */
  readBudgetMs: number;
  /** Longer than `readBudgetMs`: the lease must outlive one read. */
  leaseMs: number;
}

type ReadFailure = { kind: 'error'; type: ExecutionErrorType; message: string };
/** A window and how long reading the tile took. */
interface ReadWindow {
  window: TimeRange;
  durationMs: number;
  /** Windows before this one that are never judged. */
  skippedWindows: number;
  /** None is due after it. */
  isLast: boolean;
}
type Samples = Extract<Reading, { kind: 'samples' }>;

const overBudget: ReadFailure = {
  kind: 'error',
  type: 'QUERY_TIMEOUT',
  message: 'The query took too long and was stopped.',
};

/** A failed window is tried again after this long, or after one interval when that is shorter. */
const retryMs = 60_000;

/** Judges the windows of one leased alert that are due, oldest first; stops at the first that can't be judged. */
export class AlertEvaluator {
  readonly #options: EvaluateOptions;
  readonly #budgets: ReadBudgets;

  constructor(options: EvaluateOptions) {
    this.#options = options;
    this.#budgets = new ReadBudgets(options.clock, options.readBudgetMs);
  }

  /**
   * Resolves when the alert is up to date, can't be read, or was judged or changed by someone else. `upToDate`: the
   * lease was given back with the last judgement.
   */
  async evaluate(leased: LeasedAlert, signal: AbortSignal): Promise<'upToDate' | 'leased'> {
    const { clock, delayMs } = this.#options;
    const { windows, skipped } = dueWindows(scheduleOf(leased.alert), leased.nextWindowEndMs, clock.nowMs() - delayMs);
    let current = leased;
    for (const [index, window] of windows.entries()) {
      const startedMs = clock.nowMs();
      const reading = await this.#read(current, window, signal);
      if (signal.aborted) return 'leased';
      const read = {
        window,
        durationMs: clock.nowMs() - startedMs,
        skippedWindows: index === 0 ? skipped : 0,
        isLast: index === windows.length - 1,
      };
      if (reading.kind === 'error') {
        await this.#recordFailure(current, read, reading);
        return 'leased';
      }
      const next = await this.#judge(current, read, reading);
      if (!next) return 'leased';
      current = next;
    }
    return windows.length > 0 ? 'upToDate' : 'leased';
  }

  /** The alert as it stands after this window; `undefined` when the judgement came too late. */
  async #judge(leased: LeasedAlert, read: ReadWindow, reading: Samples): Promise<LeasedAlert | undefined> {
    const { store, names, mentions, samples, clock, leaseMs } = this.#options;
    const { tenantId, alert } = leased;
    const { window, skippedWindows } = read;
    const { next, changes, judgements } = await this.#follow(leased, reading, window);
    const nowMs = clock.nowMs();
    const known = changes.length > 0 ? await names.find(tenantId, watchedOf(alert)) : {};
    const told = await tell({ tenantId, alert, window, names: known, nowMs }, changes, { mentions, samples });
    const followingWindowEndMs = window.endMs + scheduleOf(alert).intervalMs;
    const outcome = await store.commit({
      ...keyOf(leased),
      state: next,
      followingWindowEndMs,
      leaseUntilMs: read.isLast ? 0 : nowMs + leaseMs,
      history: {
        ...historyOf(read, nowMs, next),
        groups: judgements,
        ...(skippedWindows > 0 && { skippedWindows }),
      },
      errors: [
        ...(reading.truncated ? [truncationNotice(nowMs)] : []),
        ...told.unknownMentions.map((name) => mentionNotice(nowMs, name)),
      ],
      notifications: told.messages,
    });
    if (outcome === 'superseded') return undefined;
    return { ...leased, state: next, nextWindowEndMs: followingWindowEndMs };
  }

  /** What is silenced matters only where something would be told: mostly nothing is, and nothing is looked up. */
  async #follow({ tenantId, alert, state }: LeasedAlert, reading: Samples, window: TimeRange): Promise<Transition> {
    const { quieting, clock } = this.#options;
    const rule = toRule(alert);
    const aloud = transition(rule, state, reading, window);
    if (aloud.changes.every(({ reason }) => reason === 'resolved')) return aloud;
    const quiet = await quieting.of(tenantId, alert, [window.endMs, clock.nowMs()]);
    return transition(rule, state, reading, window, quiet);
  }

  async #recordFailure(leased: LeasedAlert, read: ReadWindow, failure: ReadFailure): Promise<void> {
    const { store, clock, delayMs } = this.#options;
    const nowMs = clock.nowMs();
    const error = executionError(nowMs, failure.type, failure.message);
    await store.recordFailure({
      ...keyOf(leased),
      history: { ...historyOf(read, nowMs, leased.state), groups: [], error },
      errors: [error],
      retryDueMs: nowMs - delayMs + Math.min(retryMs, scheduleOf(leased.alert).intervalMs),
    });
  }

  async #read(leased: LeasedAlert, window: TimeRange, signal: AbortSignal): Promise<Samples | ReadFailure> {
    const { reader, logger } = this.#options;
    const { tenantId, alert } = leased;
    const budget = this.#budgets.begin(signal);
    try {
      const read = reader.read({ tenantId, watched: watchedOf(alert), window, signal: budget.signal });
      return await Promise.race([read, budget.over.then(() => overBudget)]);
    } catch (error) {
      if (!signal.aborted) logger.error({ alertId: alert.id, err: error }, 'an alert could not be evaluated');
      return { kind: 'error', type: 'UNKNOWN', message: 'The alert could not be evaluated.' };
    } finally {
      budget.end();
    }
  }
}

function keyOf({ tenantId, alert, epoch, nextWindowEndMs }: LeasedAlert) {
  return { tenantId, alertId: alert.id, epoch, nextWindowEndMs };
}

function historyOf({ window, durationMs }: ReadWindow, judgedAtMs: number, state: AlertState) {
  const { startMs: windowStartMs, endMs: windowEndMs } = window;
  return { windowStartMs, windowEndMs, judgedAtMs, durationMs, status: state.status };
}

function executionError(atMs: number, type: ExecutionErrorType, message: string): ExecutionError {
  return { timestamp: new Date(atMs).toISOString(), type, message };
}

function mentionNotice(atMs: number, name: string): ExecutionError {
  return executionError(atMs, 'WEBHOOK_ERROR', `The message mentions @webhook-${name}, but no webhook is called so.`);
}

function truncationNotice(atMs: number): ExecutionError {
  return executionError(
    atMs,
    'QUERY_ERROR',
    'The tile has more groups than can be judged; groups that were cut off keep their state.',
  );
}
