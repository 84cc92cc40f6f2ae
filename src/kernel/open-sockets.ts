import type { Server, Socket } from 'node:net';

/**
 * The connections of a server. Node.js' own lists begin with the first request, or the end of a TLS handshake; a server
 * closes only when every connection is gone.
 */
export class OpenSockets {
  readonly #sockets = new Set<Socket>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** Ends those that never sent anything. */
  destroyUnused(): void {
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  destroyAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
