import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Passes each connection to the next server in turn that accepts it, as a load balancer does. */
export class Balancer {
  readonly #targets: () => readonly string[];
  readonly #server = createServer((near) => this.#pass(near));
  readonly #sockets = new Set<Socket>();
  #turn = 0;

  /** `targets` are the base URLs of the servers that are meant to run. */
  constructor(targets: () => readonly string[]) {
    this.#targets = targets;
  }

  async start(): Promise<void> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #pass(near: Socket): void {
    near.on('error', () => {});
    this.#remember(near);
    const targets = this.#targets();
    const order = targets.map((_, index) => targets[(this.#turn + index) % targets.length] ?? '');
    this.#turn += 1;
    this.#join(near, order);
  }

  #join(near: Socket, [first, ...others]: readonly string[]): void {
    if (first === undefined || near.destroyed) {
      near.destroy();
      return;
    }
    const { hostname, port } = new URL(first);
    const far = connect(Number(port), hostname);
    const next = () => this.#join(near, others);
    far.once('error', next);
    far.once('connect', () => {
      far.off('error', next);
      this.#remember(far);
      far.on('error', () => {});
      far.once('close', () => near.destroy());
      near.once('close', () => far.destroy());
      near.pipe(far).pipe(near);
    });
  }

  #remember(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }
}
