import type { AttemptResult, ReceiverNews } from './outbox.ts';
import type { SendOutcome } from './webhook-sender.ts';

const longestPauseMs = 5 * 60_000;
/** A receiver may ask for more patience than we would have, within reason. */
export const retryAfterMaxMs = 60 * 60_000;
/** A message that is older is given up. */
export const messageLifetimeMs = 24 * 60 * 60_000;

export interface Tried {
  createdAtMs: number;
  /** Tries so far, this one included. */
  attempts: number;
  /** Failures of the receiver in a row before this try, of any message. */
  receiverFailures: number;
  nowMs: number;
  /** Pause before the first retry. */
  firstRetryMs: number;
  /** 0 ≤ jitter < 1. */
  jitter: number;
}

export interface Following {
  result: AttemptResult;
  receiver?: ReceiverNews;
}

/**
 * What follows from a try (decisions A8). A receiver that fails is left in peace for `firstRetryMs`, twice that, four
 * times … up to 5 min, and never asked again earlier than it wanted; so is the message, for 24 h. Where the message has
 * no part in the failure (the receiver is busy or cannot be reached) it keeps its place before those behind it; else
 * they get their turn first.
 */
export function afterAttempt(outcome: SendOutcome, tried: Tried): Following {
  if (outcome.kind === 'delivered') return { result: { kind: 'delivered' }, receiver: { kind: 'answers' } };
  if (!outcome.recoverable) {
    return { result: { kind: 'failed' }, ...(outcome.status !== undefined && { receiver: { kind: 'answers' } }) };
  }
  const failures = tried.receiverFailures + 1;
  const askedMs = Math.min(outcome.retryAfterMs ?? 0, retryAfterMaxMs);
  const resumeMs = tried.nowMs + Math.max(pauseMs(tried, failures), askedMs);
  const receiver = { kind: 'fails', failures, resumeMs } as const;
  const nextAttemptMs = Math.max(resumeMs, tried.nowMs + pauseMs(tried, tried.attempts));
  if (nextAttemptMs > tried.createdAtMs + messageLifetimeMs) return { result: { kind: 'failed' }, receiver };
  const keepsPlace = outcome.status === 429 || outcome.status === 503 || outcome.unreached === true;
  return { result: { kind: 'retry', ...(!keepsPlace && { nextAttemptMs }) }, receiver };
}

/** Between 75 % and 125 % of the doubled pause, so that many messages are not retried at the same moment. */
function pauseMs({ firstRetryMs, jitter }: Tried, failures: number): number {
  const pause = Math.min(longestPauseMs, firstRetryMs * 2 ** Math.min(failures - 1, 30));
  return Math.round(pause * (0.75 + jitter / 2));
}
