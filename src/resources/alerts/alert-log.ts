import type { deliveryStates } from '../../contract/alert-log.ts';
import type { GroupPart, NotificationReason } from '../../evaluator/ports.ts';
import type { AlertStatus, ExecutionError } from './alert.ts';

export type DeliveryState = (typeof deliveryStates)[number];

/** One attempt to deliver one message. */
export interface Delivery {
  messageId: string;
  atMs: number;
  durationMs: number;
  /** 1 = the first. */
  attempt: number;
  webhookId: string;
  /** What the message says; absent once the message itself is no longer kept. */
  told?: { reason: NotificationReason; group: readonly GroupPart[] };
  /** HTTP status, when an answer came. */
  status?: number;
  /** A sentence without addresses and secrets; absent when this attempt got through. */
  error?: string;
  /** Of the message. */
  state: DeliveryState;
}

/** One judged window and what was told of it. */
export interface Evaluation {
  windowStartMs: number;
  windowEndMs: number;
  judgedAtMs: number;
  durationMs?: number;
  status: AlertStatus;
  groups: readonly { group: readonly GroupPart[]; value: number | null; status: AlertStatus }[];
  skippedWindows?: number;
  error?: ExecutionError;
  notifications: readonly {
    webhookId: string;
    reason: NotificationReason;
    group: readonly GroupPart[];
    state: DeliveryState;
  }[];
}

export interface LogPage {
  limit: number;
  offset: number;
}

/** Port: what happened to an alert, newest first. Another tenant's alert has an empty log. */
export interface AlertLog {
  listDeliveries(tenantId: string, alertId: string, page: LogPage): Promise<{ deliveries: Delivery[]; total: number }>;
  listEvaluations(
    tenantId: string,
    alertId: string,
    page: LogPage,
  ): Promise<{ evaluations: Evaluation[]; total: number }>;
}
