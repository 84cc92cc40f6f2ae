import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Counts how often each message was accepted; can be made unresponsive. */
export class CountingReceiver {
  /** By idempotency key. */
  readonly taken = new Map<string, number>();
  hanging = false;
  readonly #server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (this.hanging) return;
      const key = String(request.headers['idempotency-key']);
      this.taken.set(key, (this.taken.get(key) ?? 0) + 1);
      response.writeHead(200).end();
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
