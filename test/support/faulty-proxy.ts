import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from 'node:net';

/** What the proxy does with connections, those it holds and those that come. */
export type ProxyFault = 'none' | 'refused' | 'reset' | 'frozen' | 'half-open' | 'slow' | 'second-refused';

const slowMs = 150;

/** A TCP proxy in front of a server, which can be made to fail in the ways that networks and servers fail. */
export class FaultyProxy {
  readonly #target: { host: string; port: number };
  readonly #pairs = new Set<{ client: Socket; server: Socket }>();
  #listener: Server | undefined;
  #port = 0;
  #fault: ProxyFault = 'none';
  /** Connections that came since the fault was set. */
  #came = 0;
  readonly #deaf = new WeakSet<Socket>();

  constructor(target: { host: string; port: number }) {
    this.#target = target;
  }

  get port(): number {
    return this.#port;
  }

  async listen(): Promise<void> {
    const listener = createServer((client) => this.#join(client));
    listener.listen(this.#port, '127.0.0.1');
    await once(listener, 'listening');
    this.#listener = listener;
    this.#port = (listener.address() as AddressInfo).port;
  }

  /**
   * `reset` cuts what is open and lets new connections in; `half-open` is silent on what is open and lets new ones in;
   * `frozen` is silent on all; `refused` takes none and cuts what is open; `slow` holds back each piece for a moment;
   * `second-refused` lets one connection in and none after it.
   */
  async set(fault: ProxyFault): Promise<void> {
    if (this.#fault === 'refused' && fault !== 'refused') await this.listen();
    this.#fault = fault;
    this.#came = 0;
    if (fault === 'half-open') for (const { client } of this.#pairs) this.#deaf.add(client);
    if (fault === 'reset' || fault === 'refused') this.#cut();
    // A frozen server has not closed anything; once it is back, the proxy forgets the connections of that time.
    if (fault === 'none') this.#cut();
    if (fault === 'refused') await this.#stopListening();
  }

  async close(): Promise<void> {
    this.#cut();
    if (this.#listener) await this.#stopListening();
  }

  #cut(): void {
    for (const { client, server } of this.#pairs) {
      client.resetAndDestroy();
      server.destroy();
    }
    this.#pairs.clear();
  }

  async #stopListening(): Promise<void> {
    const listener = this.#listener;
    this.#listener = undefined;
    if (!listener) return;
    const closed = once(listener, 'close');
    listener.close();
    await closed;
  }

  #join(client: Socket): void {
    if (++this.#came > 1 && this.#fault === 'second-refused') return void client.resetAndDestroy();
    const server = dial(this.#target);
    const pair = { client, server };
    this.#pairs.add(pair);
    for (const socket of [client, server]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        server.destroy();
        this.#pairs.delete(pair);
      });
    }
    client.on('data', (bytes) => this.#pass(client, server, bytes));
    server.on('data', (bytes) => this.#pass(client, client, bytes));
  }

  #pass(client: Socket, to: Socket, bytes: Buffer): void {
    if (this.#fault === 'frozen' || this.#deaf.has(client)) return;
    if (this.#fault !== 'slow') return void to.write(bytes);
    setTimeout(() => void (to.writable && to.write(bytes)), slowMs);
  }
}
