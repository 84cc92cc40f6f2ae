import { ClockWatch, type FarAlerts } from '../../src/evaluator/clock-set-back.ts';
import { AlertEvaluator } from '../../src/evaluator/evaluate-alert.ts';
import type { EvaluationMetrics } from '../../src/evaluator/evaluation-metrics.ts';
import type { EvaluationStore } from '../../src/evaluator/evaluation-store.ts';
import type { AlertLeases } from '../../src/evaluator/lease.ts';
import type {
  Mentions,
  Muting,
  Reading,
  Sample,
  SampleEvents,
  TileNames,
  TileReader,
  TilesReader,
} from '../../src/evaluator/ports.ts';
import { EvaluationScheduler } from '../../src/evaluator/scheduler.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import { RecordingLogger } from '../../src/kernel/recording-logger.ts';
import type { Outbox } from '../../src/notify/outbox.ts';

type Samples = Extract<Reading, { kind: 'samples' }>;
type Request = Parameters<TileReader['read']>[0];

/** Answers what the test says, per window; remembers which windows were read. */
export class FakeTileReader implements TileReader, TilesReader {
  readonly windowEnds: number[] = [];
  answer: (request: Request) => Reading | Promise<Reading> = () => count(0);

  async read(request: Request): Promise<Reading> {
    this.windowEnds.push(request.window.endMs);
    return this.answer(request);
  }

  readTiles(requests: readonly Request[]): Promise<Reading>[] {
    return requests.map((request) => this.read(request));
  }
}

/** An ungrouped count; `undefined` = no row. */
export function count(value: number | undefined): Samples {
  const samples: Sample[] = value === undefined ? [] : [{ group: [], value }];
  return { kind: 'samples', samples, missingIsZero: true, grouped: false };
}

export function countBy(key: string, values: Readonly<Record<string, number>>): Samples {
  const samples = Object.entries(values).map(([name, value]) => ({ group: [{ key, value: name }], value }));
  return { kind: 'samples', samples, missingIsZero: true, grouped: true };
}

export const queryError: Reading = {
  kind: 'error',
  type: 'QUERY_ERROR',
  message: 'The query could not be run by the database.',
};

export interface AlertStores {
  leases: AlertLeases;
  evaluations: EvaluationStore;
  names: TileNames;
  /** Nothing is repaired when absent. */
  farAlerts?: FarAlerts;
  /** No mentions if absent. */
  mentions?: Mentions;
  /** Nothing is silenced when absent. */
  muting?: Muting;
  /** None when absent. */
  samples?: SampleEvents;
  /** Nothing is counted when absent. */
  metrics?: EvaluationMetrics;
}

const noFarAlerts: FarAlerts = {
  listFar: async () => [],
  lastWindows: async () => [],
  moveBack: async () => {},
  endLeasesAfter: async () => {},
};
const neverMuted: Muting = { of: async () => () => undefined };
const noSamples: SampleEvents = { find: async () => [] };
const noMentions: Mentions = {
  find: async (_tenantId, notifications) => notifications.map(() => ({ webhookIds: [], unknown: [] })),
};

export const delayMs = 10_000;

/**
 * One evaluator process. After `kill` it is gone as after `kill -9`: nothing it began continues. After `freeze` it
 * pauses just before it writes an evaluation, however long, and continues at `thaw` as if nothing had happened.
 */
export class EvaluatorProcess {
  readonly logger = new RecordingLogger();
  readonly #scheduler: EvaluationScheduler;
  #alive = true;
  #thawed: Promise<void> = Promise.resolve();
  #thaw: () => void = () => {};

  constructor(stores: AlertStores, reader: TileReader, clock: Clock, onEvaluated: () => void = () => {}) {
    const alive = <T>(result: Promise<T>): Promise<T> => this.#untilKilled(result);
    const evaluator = new AlertEvaluator({
      reader: { read: (request) => alive(reader.read(request)) },
      names: stores.names,
      mentions: stores.mentions ?? noMentions,
      muting: stores.muting ?? neverMuted,
      samples: stores.samples ?? noSamples,
      ...(stores.metrics && { metrics: stores.metrics }),
      writer: {
        commit: (evaluations) =>
          Promise.allSettled(evaluations.map((each) => this.#write(() => stores.evaluations.commit(each)))),
        recordFailures: (failures) =>
          Promise.allSettled(failures.map((each) => this.#write(() => stores.evaluations.recordFailure(each)))),
      },
      clock,
      logger: this.logger,
      delayMs,
      readBudgetMs: 35_000,
      leaseMs: 60_000,
    });
    this.#scheduler = new EvaluationScheduler({
      leases: {
        claimDue: (claim) => this.#ifAlive(() => stores.leases.claimDue(claim)),
        nextDueMs: (nowMs) => this.#ifAlive(() => stores.leases.nextDueMs(nowMs)),
        release: (...parts) => this.#ifAlive(() => stores.leases.release(...parts)),
      },
      evaluator,
      clockWatch: new ClockWatch({
        alerts: stores.farAlerts ?? noFarAlerts,
        clock,
        logger: this.logger,
        leaseMs: 60_000,
      }),
      clock,
      logger: this.logger,
      owner: randomIds.uuid(),
      delayMs,
      leaseMs: 60_000,
      concurrency: 4,
      claimMax: 4,
      idlePollMs: 15_000,
      onEvaluated,
    });
    this.#scheduler.start();
  }

  stop(): Promise<void> {
    return this.#scheduler.stop();
  }

  kill(): void {
    this.#alive = false;
  }

  freeze(): void {
    this.thaw();
    this.#thawed = new Promise((resolve) => {
      this.#thaw = resolve;
    });
  }

  thaw(): void {
    this.#thaw();
  }

  async #write<T>(work: () => Promise<T>): Promise<T> {
    await this.#thawed;
    return this.#ifAlive(work);
  }

  #ifAlive<T>(work: () => Promise<T>): Promise<T> {
    return this.#alive ? this.#untilKilled(work()) : new Promise(() => {});
  }

  async #untilKilled<T>(result: Promise<T>): Promise<T> {
    const value = await result;
    return this.#alive ? value : new Promise(() => {});
  }
}

/** The outbox as one sender process sees it. After `kill` the process takes and records nothing any more. */
export class KillableOutbox implements Pick<Outbox, 'claimDue' | 'nextDueMs' | 'record' | 'endWaitsAfter'> {
  readonly #outbox: Outbox;
  #alive = true;

  constructor(outbox: Outbox) {
    this.#outbox = outbox;
  }

  async claimDue(...parts: Parameters<Outbox['claimDue']>): ReturnType<Outbox['claimDue']> {
    return this.#alive ? this.#outbox.claimDue(...parts) : [];
  }

  async nextDueMs(...parts: Parameters<Outbox['nextDueMs']>): ReturnType<Outbox['nextDueMs']> {
    return this.#alive ? this.#outbox.nextDueMs(...parts) : undefined;
  }

  async record(...parts: Parameters<Outbox['record']>): Promise<void> {
    if (this.#alive) await this.#outbox.record(...parts);
  }

  async endWaitsAfter(...parts: Parameters<Outbox['endWaitsAfter']>): Promise<void> {
    if (this.#alive) await this.#outbox.endWaitsAfter(...parts);
  }

  kill(): void {
    this.#alive = false;
  }
}
