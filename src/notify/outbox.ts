import type { OutgoingNotification } from '../evaluator/ports.ts';

/** A message that this sender owns until the claim ends. */
export interface ClaimedMessage {
  message: OutgoingNotification;
  /** Tries before this one. */
  attempts: number;
  claim: string;
  /** Failures of its receiver in a row, of any message: this one is a probe when there are some. */
  receiverFailures: number;
}

/** One line of the delivery log. */
export interface Attempt {
  atMs: number;
  durationMs: number;
  /** HTTP status, if there was a response. */
  status?: number;
  /** What went wrong, without addresses or secrets; absent = delivered. */
  error?: string;
  /** What is wrong with a template; the default text was sent instead. */
  notice?: string;
}

export type AttemptResult =
  | { kind: 'delivered' }
  /** Without an instant the message keeps its place among those that wait for the receiver. */
  | { kind: 'retry'; nextAttemptMs?: number }
  /** Given up: not worth another try, or too old. */
  | { kind: 'failed' };

/**
 * What a try says of its receiver: it answers; it is to be left in peace until then, after so many failures in a row; or
 * nothing (absent).
 */
export type ReceiverNews = { kind: 'answers' } | { kind: 'fails'; failures: number; resumeMs: number };

/** What becomes of messages that wait behind a receiver that fails. */
export interface Waiting {
  nowMs: number;
  /** Older ones are given up. */
  createdAfterMs: number;
  /** More are given up, the oldest first. */
  max: number;
}

export interface LoggedAttempt extends Attempt {
  messageId: string;
  attempt: number;
}

export interface ClaimRequest {
  claim: string;
  nowMs: number;
  claimUntilMs: number;
  max: number;
  /** Messages under way to one webhook, from all processes together; one as long as its receiver fails. */
  perWebhookMax: number;
}

/**
 * Port: messages wait here until they are delivered or given up; a killed sender's claim runs out (decisions A8). What
 * is known of receivers is kept with them, so that all senders know it, and after a restart.
 */
export interface Outbox {
  /**
   * Takes up to `max` due messages: of each webhook in order, as many as its receiver has slots for, and none
   * before a failed receiver is due for a retry. Of one event (alert, webhook, group) only the oldest open
   * message is claimed, so "resolved" never overtakes "firing".
   */
  claimDue(request: ClaimRequest): Promise<ClaimedMessage[]>;
  /**
   * Logs the attempt and its consequences for the message and its receiver. A delivery is recorded once, no matter who
   * holds the claim by then.
   */
  record(
    claimed: ClaimedMessage,
    attempt: Attempt,
    result: AttemptResult,
    receiver?: ReceiverNews & { waiting?: Waiting },
  ): Promise<void>;
  /** When the next message that could be claimed is due, or its claim ends, ignoring webhooks without free slots. */
  nextDueMs(request: Pick<ClaimRequest, 'nowMs' | 'perWebhookMax'>): Promise<number | undefined>;
  /** After the clock was set back: what would wait beyond these instants is due now. */
  endWaitsAfter(request: { nowMs: number; claimedUntilMs: number; waitingUntilMs: number }): Promise<void>;
  /** The delivery log of one alert, newest first. */
  listAttempts(tenantId: string, alertId: string, limit: number): Promise<LoggedAttempt[]>;
}
