import { connect, createServer, type Server, type Socket } from 'node:net';

/** Sits between the program and its PostgreSQL, and can cut every connection. */
export class TcpGate {
  readonly #target: URL;
  readonly #pairs = new Set<Socket>();
  readonly #server: Server;

  constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((near) => this.#join(near));
  }

  /** The same URL, through the gate. */
  async start(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    const address = this.#server.address();
    const through = new URL(this.#target);
    through.port = String(typeof address === 'object' ? address?.port : '');
    return through.href;
  }

  /** A reset, as when a server is killed: not an orderly end. */
  cut(): void {
    for (const socket of this.#pairs) socket.resetAndDestroy();
  }

  stop(): void {
    this.#server.close();
    this.cut();
  }

  #join(near: Socket): void {
    const far = connect(Number(this.#target.port), this.#target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#pairs.add(one);
      one.on('error', () => {});
      one.once('close', () => {
        this.#pairs.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }
}
