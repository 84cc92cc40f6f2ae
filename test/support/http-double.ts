import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterFile } from './after-file.ts';

/** A service that a test file talks to over HTTP, until the end of the file. It may go away and come back. */
export abstract class HttpDouble {
  #server: Server | undefined;
  #port = 0;

  static async start<T extends HttpDouble>(this: new () => T): Promise<T> {
    const double = new this();
    await double.listen();
    afterFile(() => double.close());
    return double;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** On the same port as before. */
  async listen(): Promise<void> {
    const server = createServer((request, response) => void this.#serve(request, response));
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  protected abstract answer(request: IncomingMessage, response: ServerResponse): void | Promise<void>;

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.answer(request, response);
    } catch (error) {
      response.destroy(Error('no answer', { cause: error }));
    }
  }
}
