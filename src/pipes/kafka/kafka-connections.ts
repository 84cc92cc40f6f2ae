import { isIP } from 'node:net';
import type { Connection, ConnectionOptions } from '@platformatic/kafka';
import type { BrokerAddress } from './broker-list.ts';
import type { KafkaLibrary } from './kafka-library.ts';
import type { KafkaSettings } from './kafka-settings.ts';

/** Decides where connections may go, and to which address of a host. Throws `TargetBlockedError`. */
export interface AddressGuard {
  addressFor(host: string, port: number): Promise<string>;
}

const connectTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
/** More than the largest batch that a broker stores by default, a hundred times over. */
const answerBytesMax = 160 * 1024 ** 2;

/**
 * Connections to the brokers of one cluster, each to an address that the guard has checked: brokers that the cluster
 * advertises as well as those that were entered. One request at a time per broker, since a broker answers in order.
 */
export class KafkaConnections {
  readonly #library: KafkaLibrary;
  readonly #guard: AddressGuard;
  readonly #settings: Pick<KafkaSettings, 'sasl' | 'tls'>;
  readonly #open = new Map<string, Promise<Connection>>();
  /** Why a connection ended, which those whose requests ended with it do not hear. */
  readonly #failures = new WeakMap<Connection, Error>();

  constructor(library: KafkaLibrary, guard: AddressGuard, settings: Pick<KafkaSettings, 'sasl' | 'tls'>) {
    this.#library = library;
    this.#guard = guard;
    this.#settings = settings;
  }

  /** What `ask` answers; a connection that failed is not used again. */
  async request<Answer>(broker: BrokerAddress, ask: (connection: Connection) => Promise<Answer>): Promise<Answer> {
    const connection = await this.#connected(broker);
    const { socket } = connection;
    const received = socket.bytesRead;
    const watch = () => {
      if (socket.bytesRead - received > answerBytesMax) socket.destroy();
    };
    socket.on('data', watch);
    try {
      return await ask(connection);
    } catch (error) {
      // After a time-out the answer may still come, in the place of the next one.
      if (!isAnswer(error)) this.#drop(broker, connection);
      throw this.#failures.get(connection) ?? error;
    } finally {
      socket.off('data', watch);
    }
  }

  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.allSettled(open.map(async (connection) => (await connection).close()));
  }

  #connected(broker: BrokerAddress): Promise<Connection> {
    const key = `${broker.host}:${broker.port}`;
    const known = this.#open.get(key);
    if (known) return known;
    const opening = this.#connect(broker);
    this.#open.set(key, opening);
    const forget = () => {
      if (this.#open.get(key) === opening) this.#open.delete(key);
    };
    opening.then((connection) => connection.once('close', forget), forget);
    return opening;
  }

  async #connect({ host, port }: BrokerAddress): Promise<Connection> {
    const address = await this.#guard.addressFor(host, port);
    const { sasl, tls } = this.#settings;
    const options: ConnectionOptions = {
      connectTimeout: connectTimeoutMs,
      requestTimeout: requestTimeoutMs,
      ...(sasl && { sasl }),
      ...(tls && { tls: tlsOptions(tls, host) }),
      // The certificate is checked against the name, though the connection goes to the checked address.
      ...(tls && isIP(host) === 0 && { tlsServerName: host }),
    };
    const connection = new this.#library.Connection('signalbox', options);
    connection.on('error', (error) => this.#failures.set(connection, error));
    try {
      await connection.connect(address, port);
      return connection;
    } catch (error) {
      connection.socket?.destroy();
      throw error;
    }
  }

  #drop({ host, port }: BrokerAddress, connection: Connection): void {
    this.#open.delete(`${host}:${port}`);
    connection.close().catch(() => {});
  }
}

function tlsOptions({ ca, certificate, privateKey }: NonNullable<KafkaSettings['tls']>, host: string) {
  return {
    ...(ca && { ca }),
    ...(certificate && { cert: certificate }),
    ...(privateKey && { key: privateKey }),
    ...(isIP(host) !== 0 && { host }),
  };
}

/** The broker answered, if only with an error: the connection is in order. */
function isAnswer(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'PLT_KFK_RESPONSE';
}
