import type { ExecutionError } from '../resources/alerts/alert.ts';
import type { AlertState, HistoryEntry } from './alert-state.ts';
import type { OutgoingNotification } from './ports.ts';

interface EvaluationBasis {
  tenantId: string;
  alertId: string;
  /** What the evaluation was based on; it is rejected if either has changed. */
  epoch: number;
  nextWindowEndMs: number;
}

export interface EvaluationResult extends EvaluationBasis {
  state: AlertState;
  /** End of the window to evaluate next. */
  followingWindowEndMs: number;
  /** The lease is extended until then; 0 releases it. */
  leaseUntilMs: number;
  history: HistoryEntry;
  errors: readonly ExecutionError[];
  notifications: readonly OutgoingNotification[];
}

export interface FailedEvaluation extends EvaluationBasis {
  history: HistoryEntry;
  errors: readonly ExecutionError[];
  /** The same window is tried again when this instant is due. */
  retryDueMs: number;
}

export type CommitOutcome = 'committed' | 'superseded';

/** Port: what is kept of evaluations. */
export interface EvaluationStore {
  /**
   * State, history row and outgoing messages in one transaction (decisions A8). `superseded` when the window has been
   * evaluated already or the alert was changed or removed; nothing is written then: each window is evaluated exactly once.
   */
  commit(evaluation: EvaluationResult): Promise<CommitOutcome>;
  /** The window stays unevaluated and the state as it is (decisions A6); its history row says why until it is evaluated. */
  recordFailure(failure: FailedEvaluation): Promise<CommitOutcome>;
}

/**
 * Port: the same for many alerts, in few transactions; outcomes in the order of the arguments. Each is accepted or
 * rejected independently. Rejects if any can't be written; those that were written are then superseded permanently.
 */
export interface BulkEvaluationStore {
  commitAll(evaluations: readonly EvaluationResult[]): Promise<CommitOutcome[]>;
  recordFailures(failures: readonly FailedEvaluation[]): Promise<CommitOutcome[]>;
}

/** What became of each item, in their order. */
export type WrittenEach = readonly PromiseSettledResult<CommitOutcome>[];

/** Port: what the evaluator writes through. An item that can't be written does not touch the others. */
export interface EvaluationWriter {
  commit(evaluations: readonly EvaluationResult[]): Promise<WrittenEach>;
  recordFailures(failures: readonly FailedEvaluation[]): Promise<WrittenEach>;
}
