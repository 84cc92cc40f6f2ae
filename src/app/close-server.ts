import type { FastifyInstance } from 'fastify';
import type { Clock } from '../kernel/clock.ts';
import { OpenSockets } from '../kernel/open-sockets.ts';

/** So long requests that are under way may take to their end. */
const graceMs = 2_000;

/**
 * How a server that is going to listen is closed again: connections that carry no request end at once, the others with
 * their answer or after the grace period.
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
