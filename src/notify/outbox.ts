import type { OutgoingNotification } from '../evaluator/ports.ts';

/** A message that this sender owns until the claim ends. */
export interface ClaimedMessage {
  message: OutgoingNotification;
  /** Tries before this one. */
  attempts: number;
  claim: string;
}

/** One line of the delivery log. */
export interface Attempt {
  atMs: number;
  durationMs: number;
  /** HTTP status, when an answer came. */
  status?: number;
  /** What went wrong, without addresses or secrets; absent = delivered. */
  error?: string;
  /** What is wrong with a template; the default text was sent instead. */
  notice?: string;
}

export type AttemptResult =
  | { kind: 'delivered' }
  | { kind: 'retry'; nextAttemptMs: number }
  /** Given up: not worth another try, or too old. */
  | { kind: 'failed' };

export interface LoggedAttempt extends Attempt {
  messageId: string;
  attempt: number;
}

/** Webhooks that have as many messages under way as they may. */
export function busyWebhooks(underWay: ReadonlyMap<string, number>, perWebhookMax: number): string[] {
  return [...underWay].filter(([, count]) => count >= perWebhookMax).map(([webhookId]) => webhookId);
}

/** Port: messages wait here until they are delivered or given up; a killed sender's claim runs out (decisions A8). */
export interface Outbox {
  /**
   * Takes up to `max` due messages, of each webhook no more than make `perWebhookMax` with those that this sender has
   * under way already. Of one event (alert, webhook, group) only the oldest open message is handed out, so "resolved"
   * never overtakes "firing".
   */
  claimDue(request: {
    claim: string;
    nowMs: number;
    claimUntilMs: number;
    max: number;
    perWebhookMax: number;
    /** Number of messages by webhook. */
    underWay: ReadonlyMap<string, number>;
  }): Promise<ClaimedMessage[]>;
  /** Logs the attempt and what follows from it. A delivery is recorded once, whoever holds the claim by then. */
  record(claimed: ClaimedMessage, attempt: Attempt, result: AttemptResult): Promise<void>;
  /** When the next message that could be handed out is due, or its claim ends; those of `busyWebhooks` left aside. */
  nextDueMs(busyWebhooks: readonly string[]): Promise<number | undefined>;
  /** The delivery log of one alert, newest first. */
  listAttempts(tenantId: string, alertId: string, limit: number): Promise<LoggedAttempt[]>;
}
