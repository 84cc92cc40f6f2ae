import type { Clock } from '../kernel/clock.ts';
import { type RateDecision, type RateLimit, RateLimiter } from './rate-limiter.ts';

/** One set for all ports of a process: a caller has one allowance, wherever it asks. */
export interface RequestLimiters {
  /** Per key, counted after authentication succeeded. */
  keys: RateLimiter;
  /** Per session. */
  sessions: RateLimiter;
  /** Per address, for the operations that ask for no credential. */
  addresses: RateLimiter;
  /** Per address, counts failed authentication only. */
  failedAuthentication: RateLimiter;
}

const minuteMs = 60_000;
const failedAuthenticationLimit: RateLimit = { requests: 30, windowMs: minuteMs };
/** A page sends many requests together, also in the managed flavour, whose keys may send 10 in 10 s. */
const sessionLimit: RateLimit = { requests: 600, windowMs: minuteMs };

/** `rateLimit`: of one key (decisions F9). */
export function requestLimiters(rateLimit: RateLimit, clock: Clock): RequestLimiters {
  return {
    keys: new RateLimiter(rateLimit, clock),
    sessions: new RateLimiter(sessionLimit, clock),
    addresses: new RateLimiter(sessionLimit, clock),
    failedAuthentication: new RateLimiter(failedAuthenticationLimit, clock),
  };
}

/** What a client reads of its allowance (decisions F9). */
export function rateHeaders(limit: RateLimit, decision: RateDecision): Record<string, string> {
  return {
    'x-ratelimit-reset': String(decision.resetSeconds),
    ratelimit: `"default";r=${decision.remaining};t=${decision.resetSeconds}`,
    'ratelimit-policy': `"default";q=${limit.requests};w=${Math.ceil(limit.windowMs / 1000)}`,
  };
}
