import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the receiver does with one request: answers, or never answers. */
export type Reply = { status: number; headers?: Record<string, string>; body?: string } | 'hang';

export interface ScriptedRequest {
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A real HTTP receiver on loopback that answers by a script, then 200, and remembers what it got. */
export class ScriptedReceiver {
  readonly received: ScriptedRequest[] = [];
  /** What it does once the script is over. */
  otherwise: Reply = { status: 200 };
  /** What it does with a request of this kind, before the script. */
  replyTo: (request: ScriptedRequest) => Reply | undefined = () => undefined;
  readonly #script: Reply[];
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  constructor(script: readonly Reply[] = []) {
    this.#script = [...script];
  }

  async start(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/hook`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  /** Does this with the next requests, before anything that is still in the script. */
  next(...replies: Reply[]): void {
    this.#script.unshift(...replies);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const got = { url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() };
    const reply = this.replyTo(got) ?? this.#script.shift() ?? this.otherwise;
    this.received.push(got);
    if (reply === 'hang') return;
    response.writeHead(reply.status, reply.headers).end(reply.body);
  }
}
