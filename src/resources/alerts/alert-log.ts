import type { deliveryReasons, deliveryStates } from '../../contract/alert-log.ts';
import type { GroupPart, MuteReason, NotificationReason } from '../../evaluator/ports.ts';
import type { Alert, AlertStatus, ExecutionError } from './alert.ts';

export type DeliveryState = (typeof deliveryStates)[number];

export type DeliveryReason = (typeof deliveryReasons)[number];

/** One attempt to deliver one message. */
export interface Delivery {
  /** From `deliveryId`. */
  id: string;
  messageId: string;
  atMs: number;
  durationMs: number;
  /** 1 = the first. */
  attempt: number;
  webhookId: string;
  /** What the message says; absent of attempts that were written by versions before this was kept. */
  notification?: { reason: DeliveryReason; group: readonly GroupPart[] };
  /** HTTP status, if there was a response. */
  status?: number;
  /** A sentence without addresses and secrets; absent when this attempt got through. */
  error?: string;
  /** What is wrong with a template; the default text was sent instead. */
  notice?: string;
  /** Of the message. */
  state: DeliveryState;
  /** Of a message that is queued or failing. */
  nextAttemptMs?: number;
  /** The message is kept, no longer under way, and its webhook exists. */
  replayable: boolean;
}

/** What the delivery log says of a message. */
export interface DeliveryStanding {
  state: DeliveryState;
  /** Attempts so far. */
  attempts: number;
  lastAttemptMs?: number;
  lastStatus?: number;
  lastError?: string;
}

/** Of a message that was given up before it was tried. */
export const neverSentText =
  'Given up before it was sent: the receiver accepted nothing for 24 h, or too many newer messages were waiting.';

export interface EvaluatedGroup {
  group: readonly GroupPart[];
  value: number | null;
  status: AlertStatus;
  notified?: NotificationReason;
  /** Why a notification was suppressed. */
  suppressed?: MuteReason;
}

/** One evaluated window. */
export interface EvaluatedWindow {
  windowStartMs: number;
  windowEndMs: number;
  evaluatedAtMs: number;
  durationMs?: number;
  status: AlertStatus;
  groups: readonly EvaluatedGroup[];
  skippedWindows?: number;
  clockSetBackMs?: number;
  error?: ExecutionError;
}

/** With the notifications it caused. */
export interface Evaluation extends EvaluatedWindow {
  notifications: readonly ({
    webhookId: string;
    reason: NotificationReason;
    group: readonly GroupPart[];
  } & DeliveryStanding)[];
}

export interface TrendsRequest {
  tenantId: string;
  alertIds: readonly string[];
  /** Of each alert. */
  windowsMax: number;
  /** Windows of an alert are left out once the newer ones have as many characters; they are long if it has many groups. */
  charactersMax: number;
}

/** An alert and its newest windows. */
export interface AlertTrend {
  alert: Alert;
  /** Oldest first. */
  windows: readonly EvaluatedWindow[];
  /** Of each channel, the newest message that was tried or given up; the newest if there is none such. */
  notifications: readonly ({ webhookId: string } & DeliveryStanding)[];
}

export interface LogPage {
  limit: number;
  offset: number;
}

/** Windows that end in `(startMs, endMs]`; unbounded where absent. */
export interface WindowEndRange {
  startMs?: number;
  endMs?: number;
}

/** Names the attempt before it is made, too. */
export function deliveryId(messageId: string, attempt: number): string {
  return `${messageId}-${attempt}`;
}

export interface ReplayRequest {
  tenantId: string;
  alertId: string;
  /** An attempt of the message that is sent once more. */
  deliveryId: string;
  /** Id of the new message. */
  messageId: string;
  nowMs: number;
}

export type ReplayOutcome =
  | { kind: 'queued'; delivery: Delivery }
  | { kind: 'missing' }
  /** The message itself is no longer kept. */
  | { kind: 'pruned' }
  /** It is still to be sent anyway. */
  | { kind: 'pending' }
  /** Its webhook no longer exists. */
  | { kind: 'webhookGone' };

/** Port: what happened to an alert, newest first. Another tenant's alert has an empty log. */
export interface AlertLog {
  listDeliveries(tenantId: string, alertId: string, page: LogPage): Promise<{ deliveries: Delivery[]; total: number }>;
  /**
   * Puts a copy of the message in the outbox: the same text and idempotency key, so that a receiver that has it already
   * may drop it. The outcome's delivery is the attempt that comes next.
   */
  replay(request: ReplayRequest): Promise<ReplayOutcome>;
  /** `total` is the number of windows in the range. */
  listEvaluations(
    tenantId: string,
    alertId: string,
    page: LogPage & WindowEndRange,
  ): Promise<{ evaluations: Evaluation[]; total: number }>;
  /** In order of creation. Alerts that the tenant does not have are left out. */
  listTrends(request: TrendsRequest): Promise<AlertTrend[]>;
}
