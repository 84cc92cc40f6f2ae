import type { FastifyRequest } from 'fastify';
import type { Principal } from '../access/principal.ts';
import type { Session } from '../access/session.ts';
import type { HeldBytes } from '../kernel/byte-budget.ts';
import type { OpenSpan } from '../kernel/tracer.ts';
import type { Operation } from './operation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the caller is known. */
    principal: Principal | undefined;
    /** Set when a cookie was used. */
    session: Session | undefined;
    /** Of the client, as far as it is known. */
    clientAddress: string;
    receivedMs: number;
    /** Absent when the program does not report about itself. */
    span: OpenSpan | undefined;
    /** What this request holds of the budget of bytes; given back when it is answered. */
    heldBytes: HeldBytes;
  }
  interface FastifyContextConfig {
    /** The operation a route serves; absent on `/health`, the interface document and their like. */
    operation?: Operation;
  }
}

export function paramsOf(request: FastifyRequest): Record<string, string> {
  // Fastify reads them from the path as texts, and types them by declarations per route only.
  return request.params as Record<string, string>;
}

export function queryOf(request: FastifyRequest): Record<string, unknown> {
  // The parser of the query answers an object, whatever was sent.
  return request.query as Record<string, unknown>;
}
