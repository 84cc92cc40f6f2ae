import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { TimeRange } from '../query/chart-query.ts';
import { scheduleOf, watchedOf } from '../resources/alerts/alert.ts';
import {
  type EvaluationMetrics,
  type EvaluationResultKind,
  type ReadFailureType,
  uncountedEvaluations,
} from './evaluation-metrics.ts';
import type { CommitOutcome, EvaluationResult, EvaluationWriter, WrittenEach } from './evaluation-store.ts';
import type { LeasedAlert } from './lease.ts';
import type { TileReader } from './ports.ts';
import { ReadBudgets } from './read-budget.ts';
import {
  basisOf,
  executionError,
  historyOf,
  type ReadWindow,
  type Samples,
  WindowEvaluator,
  type WindowEvaluatorDeps,
} from './window-evaluator.ts';
import { dueWindows } from './windows.ts';

export interface EvaluateOptions extends WindowEvaluatorDeps {
  reader: TileReader;
  writer: EvaluationWriter;
  clock: Clock;
  logger: Logger;
  /** Time that late rows are given after the end of a window (decisions A5). */
  delayMs: number;
  /** One read may take so long; a hanging source delays only its own alerts (U-25). */
  readBudgetMs: number;
  /** Longer than `readBudgetMs`: the lease must outlive one read. */
  leaseMs: number;
  metrics?: EvaluationMetrics;
}

type ReadFailure = { kind: 'error'; type: ReadFailureType; message: string };

const overBudget: ReadFailure = {
  kind: 'error',
  type: 'QUERY_TIMEOUT',
  message: 'The query took too long and was stopped.',
};

/** A failed window is tried again after this long, or after one interval when that is shorter. */
const retryMs = 60_000;

/** Evaluates the windows of leased alerts that are due, oldest first; stops at the first that can't be evaluated. */
export class AlertEvaluator {
  readonly #options: EvaluateOptions;
  readonly #evaluator: WindowEvaluator;
  readonly #budgets: ReadBudgets;
  readonly #metrics: EvaluationMetrics;

  constructor(options: EvaluateOptions) {
    this.#options = options;
    this.#evaluator = new WindowEvaluator(options);
    this.#budgets = new ReadBudgets(options.clock, options.readBudgetMs);
    this.#metrics = options.metrics ?? uncountedEvaluations;
  }

  /**
   * `alike`: see `alike.ts`. Resolves when they are up to date, can't be read, or were evaluated or changed by someone
   * else, with those whose lease is to be given back: of the others it was, with the last evaluation, or is left to run
   * out. An alert that breaks its evaluation must not be tried in a tight loop.
   */
  async evaluate(alike: readonly LeasedAlert[], signal: AbortSignal): Promise<readonly LeasedAlert[]> {
    const { clock, delayMs } = this.#options;
    const [first] = alike;
    if (!first) return [];
    const { alert, nextWindowEndMs, state } = first;
    const due = dueWindows(scheduleOf(alert), nextWindowEndMs, clock.nowMs() - delayMs, state.clockSetBack);
    if (due.length === 0) return alike;
    const superseded: LeasedAlert[] = [];
    let current = alike;
    for (const [index, window] of due.entries()) {
      const startedMs = clock.nowMs();
      const reading = await this.#read(first, window, signal);
      if (signal.aborted) return [...superseded, ...current];
      const read = {
        window,
        durationMs: clock.nowMs() - startedMs,
        skippedWindows: window.skippedBefore,
        isLast: index === due.length - 1,
      };
      if (reading.kind === 'error') return [...superseded, ...(await this.#recordFailures(current, read, reading))];
      const evaluated = await this.#evaluateAll(current, read, reading);
      superseded.push(...evaluated.superseded);
      current = evaluated.next;
      if (current.length === 0) break;
    }
    return superseded;
  }

  /** `next`: the alerts after this window. `superseded`: the evaluation came too late. */
  async #evaluateAll(alike: readonly LeasedAlert[], read: ReadWindow, reading: Samples) {
    const evaluations = await Promise.all(alike.map((leased) => this.#evaluateOne(leased, read, reading)));
    const made = evaluations.filter((evaluation) => evaluation !== undefined);
    const leased = alike.filter((_, index) => evaluations[index]);
    const written = this.#settled(leased, await this.#options.writer.commit(made));
    if (leased.length < alike.length) this.#metrics.ended('notStored', alike.length - leased.length);
    this.#countWritten(written, 'evaluated', read);
    const next: LeasedAlert[] = [];
    const superseded: LeasedAlert[] = [];
    leased.forEach((each, index) => {
      const [evaluation, outcome] = [made[index], written[index]];
      if (outcome === 'superseded') superseded.push(each);
      if (outcome === 'committed' && evaluation) next.push(following(each, evaluation));
    });
    return { next, superseded };
  }

  async #evaluateOne(leased: LeasedAlert, read: ReadWindow, reading: Samples): Promise<EvaluationResult | undefined> {
    try {
      return await this.#evaluator.evaluate(leased, read, reading);
    } catch (error) {
      this.#logFailure(leased, error);
      return undefined;
    }
  }

  /** Those of which it could be noted that their window can't be read. */
  async #recordFailures(alike: readonly LeasedAlert[], read: ReadWindow, failure: ReadFailure): Promise<LeasedAlert[]> {
    const { writer, clock, delayMs } = this.#options;
    const nowMs = clock.nowMs();
    const error = executionError(nowMs, failure.type, failure.message);
    const intervalMs = read.window.endMs - read.window.startMs;
    const failures = alike.map((leased) => ({
      ...basisOf(leased),
      history: { ...historyOf(read, nowMs, leased.state), groups: [], error },
      errors: [error],
      retryDueMs: nowMs - delayMs + Math.min(retryMs, intervalMs),
    }));
    const written = this.#settled(alike, await writer.recordFailures(failures));
    this.#countWritten(written, failure.type, read);
    return alike.filter((_, index) => written[index] !== undefined);
  }

  #countWritten(written: readonly (CommitOutcome | undefined)[], result: EvaluationResultKind, read: ReadWindow): void {
    const { clock, delayMs } = this.#options;
    const committed = written.filter((outcome) => outcome === 'committed').length;
    const superseded = written.filter((outcome) => outcome === 'superseded').length;
    this.#metrics.ended(result, committed);
    this.#metrics.ended('superseded', superseded);
    this.#metrics.ended('notStored', written.length - committed - superseded);
    if (result !== 'evaluated') return;
    this.#metrics.lagged(Math.max(0, clock.nowMs() - delayMs - read.window.endMs), committed);
    this.#metrics.missed(read.skippedWindows * committed);
  }

  /** `undefined` for what could not be written. */
  #settled(alerts: readonly LeasedAlert[], written: WrittenEach): (CommitOutcome | undefined)[] {
    return alerts.map((leased, index) => {
      const outcome = written[index];
      if (outcome?.status === 'fulfilled') return outcome.value;
      this.#logFailure(leased, outcome?.reason);
      return undefined;
    });
  }

  async #read(leased: LeasedAlert, window: TimeRange, signal: AbortSignal): Promise<Samples | ReadFailure> {
    const { reader } = this.#options;
    const { tenantId, alert } = leased;
    const budget = this.#budgets.begin(signal);
    try {
      const read = reader.read({ tenantId, watched: watchedOf(alert), window, signal: budget.signal });
      return await Promise.race([read, budget.over.then(() => overBudget)]);
    } catch (error) {
      if (!signal.aborted) this.#logFailure(leased, error);
      return { kind: 'error', type: 'UNKNOWN', message: 'The alert could not be evaluated.' };
    } finally {
      budget.end();
    }
  }

  #logFailure({ alert }: LeasedAlert, error: unknown): void {
    this.#options.logger.error({ alertId: alert.id, err: error }, 'an alert could not be evaluated');
  }
}

function following(leased: LeasedAlert, { state, followingWindowEndMs }: EvaluationResult): LeasedAlert {
  return { ...leased, state, nextWindowEndMs: followingWindowEndMs };
}
