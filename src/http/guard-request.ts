import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../access/principal.ts';
import { AppError } from '../contract/errors.ts';
import type { Flavour } from './flavours/flavour.ts';
import type { Operation } from './operation.ts';
import type { RateLimit, RateLimiter, RateVerdict } from './rate-limiter.ts';

export interface RequestLimiters {
  /** Per key, counted after authentication succeeded. */
  keys: RateLimiter;
  /** Per address, counts failed authentication only. */
  failedAuthentication: RateLimiter;
}

/**
 * Who calls, and may they call now: authentication (401, 403), then the rate limit (429), then the key's role. Runs
 * before the body is read (decisions F9).
 */
export async function guardRequest(
  { flavour, limiters }: { flavour: Flavour; limiters: RequestLimiters | undefined },
  operation: Operation,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<Principal> {
  const outcome = await flavour.authenticate(request.headers.authorization, request.params as Record<string, string>);
  if (outcome.kind === 'refused') {
    if (outcome.code === 'unauthenticated' && limiters) take(limiters.failedAuthentication, request.ip, reply);
    throw new AppError(outcome.code, outcome.text === undefined ? {} : { public: outcome.text });
  }
  const { principal } = outcome;
  if (limiters) take(limiters.keys, principal.keyId, reply);
  if (operation.role === 'admin' && principal.role !== 'admin') throw new AppError('read_only_key');
  return principal;
}

function take(limiter: RateLimiter, key: string, reply: FastifyReply): void {
  const verdict = limiter.take(key);
  if (verdict.allowed) return;
  reply.headers(rateHeaders(limiter.limit, verdict));
  throw new AppError('rate_limited', { retryAfterSeconds: verdict.resetSeconds });
}

function rateHeaders(limit: RateLimit, verdict: RateVerdict): Record<string, string> {
  return {
    'x-ratelimit-reset': String(verdict.resetSeconds),
    ratelimit: `"default";r=${verdict.remaining};t=${verdict.resetSeconds}`,
    'ratelimit-policy': `"default";q=${limit.requests};w=${Math.ceil(limit.windowMs / 1000)}`,
  };
}
