import type { FastifyInstance } from 'fastify';
import type { Clock } from '../kernel/clock.ts';
import { OpenSockets } from '../kernel/open-sockets.ts';

/** So long requests that are under way may take to their end. */
const graceMs = 2_000;

/**
 * Closes a server that is going to listen: idle connections end immediately, the others with their response or after
 * the grace period.
 */
export function closerOf(server: FastifyInstance, clock: Clock): () => Promise<void> {
  const sockets = new OpenSockets(server.server);
  return async () => {
    const closed = server.close();
    sockets.destroyUnused();
    const cancelCut = clock.after(graceMs, () => sockets.destroyAll());
    await closed;
    cancelCut();
  };
}
