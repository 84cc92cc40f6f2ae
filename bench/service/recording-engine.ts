import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Agent, request } from 'undici';

/** A statement as the program sent it. */
interface SentStatement {
  path: string;
  body: Buffer;
}

/** Sits between the program and an engine, forwards everything, and can replay a statement unchanged. */
export class RecordingEngine {
  readonly #target: URL;
  readonly #agent = new Agent({ keepAliveTimeout: 60_000 });
  readonly #server = createServer((incoming, response) => void this.#pass(incoming, response));
  #sent: SentStatement[] = [];

  /** @param target the engine's address, with user and password */
  constructor(target: string) {
    this.#target = new URL(target);
  }

  /** As `SIGNALBOX_CLICKHOUSE_URL`. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    return Object.assign(new URL(this.#target), { port }).href;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.#agent.close();
  }

  /** The statements that `work` causes. */
  async record(work: () => Promise<unknown>): Promise<SentStatement[]> {
    this.#sent = [];
    await work();
    // A copy: later statements are not part of it.
    return [...this.#sent];
  }

  /** Sends a statement to the engine and reads the answer to its end. */
  async send(statement: SentStatement): Promise<void> {
    const { status, body } = await this.#exchange(statement, {});
    if (status !== 200) throw new Error(body.toString());
  }

  async #pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const statement = { path: incoming.url ?? '/', body: await buffer(incoming) };
    this.#sent.push(statement);
    const { status, body, headers } = await this.#exchange(statement, incoming.headers);
    const code = headers['x-clickhouse-exception-code'];
    response.writeHead(status, code === undefined ? {} : { 'X-ClickHouse-Exception-Code': code });
    response.end(body);
  }

  async #exchange({ path, body }: SentStatement, { 'content-length': length }: IncomingHttpHeaders) {
    const answer = await request(new URL(path, this.#target.origin), {
      method: 'POST',
      headers: {
        'X-ClickHouse-User': this.#target.username,
        'X-ClickHouse-Key': this.#target.password,
        ...(length !== undefined && { 'Content-Length': length }),
      },
      body,
      dispatcher: this.#agent,
    });
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: Buffer.from(await answer.body.arrayBuffer()),
    };
  }
}
