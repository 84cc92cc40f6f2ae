import type { AttemptResult } from './outbox.ts';
import type { SendOutcome } from './webhook-sender.ts';

const firstPauseMs = 1_000;
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
  /** 0 ≤ jitter < 1. */
  jitter: number;
}

/**
 * What follows from a try (decisions A8): again after about 1 s, 2 s, 4 s … up to 5 min, for 24 h; or earlier never
 * than the receiver asked for.
 */
export function afterAttempt(outcome: SendOutcome, tried: Tried): AttemptResult {
  if (outcome.kind === 'delivered') return { kind: 'delivered' };
  if (!outcome.recoverable) return { kind: 'failed' };
  const askedMs = Math.min(outcome.retryAfterMs ?? 0, retryAfterMaxMs);
  const nextAttemptMs = tried.nowMs + Math.max(pauseMs(tried.attempts, tried.jitter), askedMs);
  return nextAttemptMs > tried.createdAtMs + messageLifetimeMs ? { kind: 'failed' } : { kind: 'retry', nextAttemptMs };
}

/** Between 75 % and 125 % of the doubled pause, so that many messages do not come back at once. */
function pauseMs(attempts: number, jitter: number): number {
  const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempts - 1, 30));
  return Math.round(pause * (0.75 + jitter / 2));
}
