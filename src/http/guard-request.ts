import type { FastifyReply, FastifyRequest } from 'fastify';
import { anonymous, type Principal } from '../access/principal.ts';
import type { Session } from '../access/session.ts';
import { AppError, type ErrorCode } from '../contract/errors.ts';
import { paramsOf } from './fastify-request.ts';
import type { Flavour } from './flavours/flavour.ts';
import { limitKeyOf } from './limit-key.ts';
import { audienceOf, type Operation } from './operation.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { type RequestLimiters, rateHeaders } from './request-limiters.ts';
import type { WebSessions } from './web-sessions.ts';

export interface Guards {
  flavour: Flavour;
  limiters: RequestLimiters | undefined;
  webSessions: WebSessions | undefined;
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

export interface Caller {
  principal: Principal;
  session: Session | undefined;
  address: string;
}

/**
 * Who calls, and may they call now: authentication (401, 403), then the rate limit (429), then the key's role, then
 * what the operation itself limits. Runs before the body is read (decisions F9). A key in `Authorization` counts before
 * a cookie.
 */
export async function guardRequest(guards: Guards, operation: Operation, exchange: Exchange): Promise<Caller> {
  const { limiters } = guards;
  const address = addressOf(guards, exchange.request);
  const session = await sessionOf(guards, operation, exchange);
  const principal = operation.session
    ? personOf(operation, session)
    : await keyHolder(guards, { ...exchange, session, address });
  if (limiters && principal.kind !== 'anonymous') {
    take(session ? limiters.sessions : limiters.keys, principal.keyId, exchange.reply);
  } else if (limiters) take(limiters.addresses, limitKeyOf(address), exchange.reply);
  if (operation.role === 'admin' && principal.role !== 'admin') throw new AppError('read_only_key');
  operation.admit?.(address);
  return { principal, session, address };
}

/** Of the client, as far as it is known: a web role that vouches for a request is none. */
function addressOf({ webSessions }: Guards, request: FastifyRequest): string {
  return webSessions?.accepts(request) ? webSessions.addressOf(request) : request.ip;
}

async function sessionOf(
  { flavour, webSessions }: Guards,
  operation: Operation,
  { request, reply }: Exchange,
): Promise<Session | undefined> {
  const accepted = webSessions?.accepts(request) === true;
  const hasKey = !operation.session && request.headers.authorization !== undefined;
  // For clients of the API, what only people use is a path like any other unknown one.
  if (audienceOf(operation, flavour.name) === 'people' && (!accepted || hasKey)) throw new AppError('route_not_found');
  if (!accepted || hasKey) return undefined;
  const session = await webSessions.open(request, reply);
  // Nothing between here and the browser may keep one person's answer for another.
  if (session || operation.session) reply.header('cache-control', 'no-store');
  return session;
}

/** Session operations give no access to a tenant's data. */
function personOf(operation: Operation, session: Session | undefined): Principal {
  if (operation.session === 'needed' && !session) {
    throw new AppError('unauthenticated', { public: 'You are not logged in.' });
  }
  return anonymous;
}

async function keyHolder(
  { flavour, limiters, webSessions }: Guards,
  { request, reply, session, address }: Exchange & { session: Session | undefined; address: string },
): Promise<Principal> {
  const place = { params: paramsOf(request) };
  const outcome = session
    ? await flavour.admitSession(session, place)
    : await flavour.authenticate(request.headers.authorization, place);
  if (outcome.kind === 'principal') return outcome.principal;
  if (outcome.code === 'unauthenticated' && limiters) {
    take(limiters.failedAuthentication, limitKeyOf(address), reply);
  }
  const text = session || isPerson(webSessions, request) ? textsForPeople[outcome.code] : undefined;
  const shown = text ?? outcome.text;
  throw new AppError(outcome.code, shown === undefined ? {} : { public: shown });
}

/** People have no keys: they log in. */
const textsForPeople: Partial<Record<ErrorCode, string>> = {
  unauthenticated: 'You are not logged in, or your session has ended. Log in again.',
  forbidden: 'You have no access to this organization or service.',
};

/** A browser on a port for people, which sends no key. */
function isPerson(webSessions: WebSessions | undefined, request: FastifyRequest): boolean {
  const { authorization, cookie, 'sec-fetch-site': fetchSite } = request.headers;
  if (!webSessions?.accepts(request) || authorization !== undefined) return false;
  return fetchSite !== undefined || webSessions.cookie.read(cookie) !== undefined;
}

/** Counts, and shows the caller what is left of its allowance, whatever the answer will be. */
function take(limiter: RateLimiter, key: string, reply: FastifyReply): void {
  const decision = limiter.take(key);
  reply.headers(rateHeaders(limiter.limit, decision));
  if (!decision.allowed) throw new AppError('rate_limited', { retryAfterSeconds: decision.resetSeconds });
}
