import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Behaviour = (response: ServerResponse) => void;

/** What a team connects as its database, and what is none. */
export class HostileDatabase {
  /** Requests that came. */
  reached = 0;
  readonly #server: Server;

  constructor(behaviour: Behaviour) {
    this.#server = createServer((request, response) => {
      this.reached += 1;
      request.resume();
      behaviour(response);
    });
  }

  /** Answers the port. */
  async listen(address: string): Promise<number> {
    this.#server.listen(0, address);
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** As fast as it is read, until the reader hangs up. */
export function endless(head: string, piece: string): Behaviour {
  const content = Buffer.from(piece.repeat(Math.ceil((256 * 1024) / piece.length)));
  return (response) => {
    const more = () => {
      if (response.destroyed) return;
      if (response.write(content)) setImmediate(more);
      else response.once('drain', more);
    };
    response.write(head);
    more();
  };
}
