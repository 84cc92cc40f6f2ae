import type { Principal } from '../access/principal.ts';
import type { Session } from '../access/session.ts';
import type { HeldBytes } from '../kernel/byte-budget.ts';
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
    /** What this request holds of the budget of bytes; given back when it is answered. */
    heldBytes: HeldBytes;
  }
  interface FastifyContextConfig {
    /** The operation a route serves; absent on `/health`, the interface document and their like. */
    operation?: Operation;
  }
}
