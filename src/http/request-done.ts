import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { OpenSpan } from '../kernel/tracer.ts';
import './fastify-request.ts';

/** One answered request, for metrics and spans: route patterns, never addresses or query strings. */
export interface RequestDone {
  method: string;
  /** Pattern of the route; `(none)` when no route was met. */
  route: string;
  status: number;
  startMs: number;
  endMs: number;
  requestId: string;
  /** Absent when the caller was not known. */
  tenantId?: string;
  /** Ids of the request as a span; absent when the program does not report about itself. */
  span?: OpenSpan;
}

export type RequestObserver = (done: RequestDone) => void;

/** Notifies the observers and writes the access line. */
export function requestReporter(clock: Clock, logger: Logger, observers: readonly RequestObserver[]) {
  return function reportRequest(request: FastifyRequest, reply: FastifyReply): void {
    const done: RequestDone = {
      method: request.method,
      route: request.routeOptions.url ?? '(none)',
      status: reply.statusCode,
      startMs: request.receivedMs,
      endMs: clock.nowMs(),
      requestId: request.id,
    };
    if (request.principal) done.tenantId = request.principal.tenantId;
    if (request.span) done.span = request.span;
    for (const observe of observers) observe(done);
    const { startMs, endMs, span, ...line } = done;
    logger.info({ ...line, ...(span && { traceId: span.traceId }), ms: endMs - startMs }, 'request');
  };
}
