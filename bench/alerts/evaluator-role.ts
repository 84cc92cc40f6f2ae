import { Registry } from 'prom-client';
import { type Alerting, startAlerting } from '../../src/app/alerting.ts';
import type { BulkEvaluationStore, EvaluationStore } from '../../src/evaluator/evaluation-store.ts';
import { CleanupStack } from '../../src/kernel/cleanup-stack.ts';
import { randomIds as ids } from '../../src/kernel/ids.ts';
import { inlineWorkers } from '../../src/kernel/inline-workers.ts';
import { silentLogger as logger } from '../../src/kernel/logger.ts';
import { noTracer } from '../../src/kernel/tracer.ts';
import { SsrfGuard } from '../../src/notify/target-guard.ts';
import type { AlertStore } from './alert-store.ts';

type Evaluations = EvaluationStore & BulkEvaluationStore;

/** The evaluator role as the program runs it, minute by minute. */
export class EvaluatorRole {
  readonly #store: AlertStore;
  readonly #alerts: number;
  readonly #cleanup = new CleanupStack();
  #alerting: Alerting | undefined;
  #recorded = 0;
  #finish: () => void = () => {};

  /** `alerts`: how many there are, all of them due each minute. */
  constructor(store: AlertStore, alerts: number) {
    this.#store = store;
    this.#alerts = alerts;
  }

  /** Resolves when the windows that end then are recorded, of all alerts. */
  async evaluateWindowsUntil(endMs: number): Promise<void> {
    this.#recorded = 0;
    const all = new Promise<void>((resolve) => {
      this.#finish = resolve;
    });
    this.#store.clock.setTo(endMs);
    this.#alerting ??= this.#start();
    this.#alerting.wake();
    await all;
  }

  async stop(): Promise<void> {
    await this.#cleanup.unwind(() => {});
  }

  #start(): Alerting {
    const { metadata, services, secrets, clock } = this.#store;
    return startAlerting({
      repositories: { ...metadata, evaluations: this.#counted(metadata.evaluations) },
      metrics: new Registry(),
      tracer: noTracer,
      reader: services.tilesReader,
      samples: services.sampleEvents,
      guard: new SsrfGuard([]),
      secrets,
      workers: inlineWorkers,
      tenants: { find: async () => undefined },
      proxies: { direct: [] },
      publicUrl: 'http://localhost',
      settings: { delayMs: 0, logDays: 30, sendTimeoutMs: 30_000, firstRetryMs: 1_000 },
      clock,
      ids,
      logger,
      cleanup: this.#cleanup,
    });
  }

  #counted(store: Evaluations): Evaluations {
    return {
      commit: (evaluation) => store.commit(evaluation),
      recordFailure: (failure) => store.recordFailure(failure),
      recordFailures: (failures) => store.recordFailures(failures),
      commitAll: async (evaluations) => {
        const outcomes = await store.commitAll(evaluations);
        this.#recorded += outcomes.filter((outcome) => outcome === 'committed').length;
        if (this.#recorded >= this.#alerts) this.#finish();
        return outcomes;
      },
    };
  }
}
