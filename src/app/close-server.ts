import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../kernel/clock.ts';

/** So long requests that are under way may take to their end. */
const graceMs = 2_000;

/**
 * How a server that is going to listen is closed again: connections that carry no request end at once, whatever state
 * they are in, the others with their answer or after the grace period.
 */
export function closerOf(server: FastifyInstance, clock: Clock): () => Promise<void> {
  const sockets = new Set<Socket>();
  // Below TLS, so that a connection that never began its handshake is among them.
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return async () => {
    const closed = server.close();
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    const cancelCut = clock.after(graceMs, () => {
      for (const socket of sockets) socket.destroy();
    });
    await closed;
    cancelCut();
  };
}
