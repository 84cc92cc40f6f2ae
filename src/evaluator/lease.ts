import type { Alert } from '../resources/alerts/alert.ts';
import type { AlertState } from './alert-state.ts';

/** An alert that this evaluator owns until its lease ends. */
export interface LeasedAlert {
  tenantId: string;
  alert: Alert;
  /** Changes with each edit of the alert: an evaluation by an older rule is rejected at commit. */
  epoch: number;
  /** End of the first window that has not been evaluated yet, Unix ms. */
  nextWindowEndMs: number;
  state: AlertState;
}

/** Port: one owner per alert. The lease of a dead evaluator runs out, and another takes the alert over. */
export interface AlertLeases {
  /**
   * Takes up to `max` alerts whose next look is due at or before `dueBeforeMs` and that no other evaluator holds.
   * The lease ends at `leaseUntilMs`.
   */
  claimDue(claim: {
    owner: string;
    nowMs: number;
    dueBeforeMs: number;
    leaseUntilMs: number;
    max: number;
  }): Promise<LeasedAlert[]>;
  /** The earliest due time of an alert without a lease at `nowMs`, excluding the late-data delay. */
  nextDueMs(nowMs: number): Promise<number | undefined>;
  /** Gives an alert back before its lease ends; nothing happens when someone else holds it. */
  release(owner: string, tenantId: string, alertId: string): Promise<void>;
}

/** Port: `release` for many alerts. */
export interface BulkAlertLeases {
  releaseAll(owner: string, alerts: readonly { tenantId: string; alertId: string }[]): Promise<void>;
}
