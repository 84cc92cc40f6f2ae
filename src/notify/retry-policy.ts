import type { AttemptResult } from './outbox.ts';
import type { SendOutcome } from './webhook-sender.ts';

const longestPauseMs = 5 * 60_000;
/** A receiver may ask for more patience than we would have, within reason. */
const retryAfterMaxMs = 60 * 60_000;
/** A message that is older is given up. */
export const messageLifetimeMs = 24 * 60 * 60_000;

export interface Tried {
  createdAtMs: number;
  /** Tries so far, this one included. */
  attempts: number;
  nowMs: number;
  /** Pause before the first retry. */
  firstRetryMs: number;
  /** 0 ≤ jitter < 1. */
  jitter: number;
}

/**
 * What follows from a try (decisions A8): again after `firstRetryMs`, twice that, four times … up to 5 min, for
 * 24 h; never earlier than the receiver asked for.
 */
export function afterAttempt(outcome: SendOutcome, tried: Tried): AttemptResult {
  if (outcome.kind === 'delivered') return { kind: 'delivered' };
  if (!outcome.recoverable) return { kind: 'failed' };
  const askedMs = Math.min(outcome.retryAfterMs ?? 0, retryAfterMaxMs);
  const nextAttemptMs = tried.nowMs + Math.max(pauseMs(tried), askedMs);
  return nextAttemptMs > tried.createdAtMs + messageLifetimeMs ? { kind: 'failed' } : { kind: 'retry', nextAttemptMs };
}

/** Between 75 % and 125 % of the doubled pause, so that many messages do not come back at once. */
function pauseMs({ firstRetryMs, attempts, jitter }: Tried): number {
  const pause = Math.min(longestPauseMs, firstRetryMs * 2 ** Math.min(attempts - 1, 30));
  return Math.round(pause * (0.75 + jitter / 2));
}
