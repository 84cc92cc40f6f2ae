import type { ExecutionErrorType } from '../resources/alerts/alert.ts';

/** How the evaluation of one window of one alert ended. */
export type EvaluationResultKind =
  | 'evaluated'
  /** It had been evaluated already, or the alert was changed meanwhile. */
  | 'superseded'
  /** It could not be written. */
  | 'notStored'
  | ReadFailureType;

/** Why the window could not be read. */
export type ReadFailureType = Exclude<ExecutionErrorType, 'WEBHOOK_ERROR'>;

/** Port: what the evaluator counts; the app connects it to its metrics. */
export interface EvaluationMetrics {
  ended(result: EvaluationResultKind, evaluations: number): void;
  /** From the moment the window was due until the evaluations of it were written. */
  lagged(lagMs: number, evaluations: number): void;
  /** Windows that are never evaluated, because more were due than are caught up. */
  missed(windows: number): void;
}

export const uncountedEvaluations: EvaluationMetrics = { ended: () => {}, lagged: () => {}, missed: () => {} };
