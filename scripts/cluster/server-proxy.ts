import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `resets`: two of three requests lose their connection, half of them after the server has done its work. */
export type ServerFault = 'none' | 'answers 503' | 'rejects the password' | 'resets';

/** In front of one server's HTTP interface; can fail as servers, proxies and networks do. */
export class ServerProxy {
  fault: ServerFault = 'none';
  readonly #target: URL;
  readonly #server = createServer((request, response) => this.#pass(request, response));

  constructor(target: string) {
    this.#target = new URL(target);
  }

  /** Its address, with the user and password of the target. */
  async start(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    const url = new URL(this.#target);
    // The address of a server that listens on a port is not a path.
    url.port = String((this.#server.address() as AddressInfo).port);
    return url.href;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #pass(request: IncomingMessage, response: ServerResponse): void {
    if (this.fault === 'answers 503') {
      request.resume().on('end', () => response.writeHead(503).end('no server is available'));
      return;
    }
    const chance = this.fault === 'resets' ? Math.random() : 1;
    const reset = (): void => void request.socket.resetAndDestroy();
    if (chance < 1 / 3) {
      reset();
      return;
    }
    const { hostname, port } = this.#target;
    const headers = { ...request.headers };
    if (this.fault === 'rejects the password') headers['x-clickhouse-key'] = 'another password';
    const { method, url: path } = request;
    const onward = send({ hostname, port, method, path, headers }, (answer) => {
      if (chance < 2 / 3) {
        reset();
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', reset);
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  }
}
