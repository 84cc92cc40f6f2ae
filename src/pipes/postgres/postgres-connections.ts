import pg from 'pg';
import type { PostgresServerAddress } from './postgres-plan.ts';

/** Port: the address that a name may be connected to; a second look-up could differ. Throws `TargetBlockedError`. */
export interface AddressGuard {
  addressFor(hostname: string, port?: number): Promise<string>;
}

const connectTimeoutMs = 15_000;
/** How values are written as text, in every connection: rows of a snapshot and of the stream must look the same. */
const textForms = [
  "SET datestyle = 'ISO'",
  "SET timezone = 'UTC'",
  "SET intervalstyle = 'postgres'",
  "SET bytea_output = 'hex'",
  'SET extra_float_digits = 1',
  'SET statement_timeout = 0',
].join('; ');

/** Makes connections to one server, and closes all of them in the end. */
export class PostgresConnections {
  readonly #address: PostgresServerAddress;
  readonly #guard: AddressGuard;
  readonly #open = new Set<pg.Client>();

  constructor(address: PostgresServerAddress, guard: AddressGuard) {
    this.#address = address;
    this.#guard = guard;
  }

  async connect(purpose: 'statements' | 'replication'): Promise<pg.Client> {
    const { host, port, database, user, password, tls } = this.#address;
    const config = {
      host: await this.#guard.addressFor(host, port),
      port,
      database,
      user,
      password,
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
      application_name: 'signalbox',
      ssl: tls && {
        servername: isAddress(tls.serverName) ? '' : tls.serverName,
        rejectUnauthorized: tls.isVerified,
        ...(tls.certificate !== undefined && { ca: tls.certificate }),
      },
      // Understood by the client, but not in its types.
      ...(purpose === 'replication' && { replication: 'database' }),
    };
    const client = new pg.Client(config);
    // A connection that breaks while it is idle: the next statement fails.
    client.on('error', () => {});
    this.#open.add(client);
    client.once('end', () => this.#open.delete(client));
    await client.connect();
    await client.query(textForms);
    return client;
  }

  /** At once, whatever is under way. */
  async close(): Promise<void> {
    const closing = [...this.#open].map((client) => {
      socketOf(client).destroy();
      return client.end().catch(() => {});
    });
    await Promise.all(closing);
  }
}

/** The socket, which the client's types do not show. */
function socketOf(client: pg.Client): { pause(): void; resume(): void; destroy(): void } {
  return wireOf(client).stream;
}

export interface PostgresWire {
  stream: { pause(): void; resume(): void; destroy(): void };
  on(event: 'copyData', listener: (message: { chunk: Buffer }) => void): void;
  sendCopyFromChunk(chunk: Buffer): void;
}

/** The protocol below the client: the only way to replication messages. */
export function wireOf(client: pg.Client): PostgresWire {
  // The property is there in every version 8, and is what replication libraries use.
  return (client as unknown as { connection: PostgresWire }).connection;
}

/** TLS takes no address as server name. */
function isAddress(host: string): boolean {
  return /^[\d.]+$|:/.test(host);
}

/** Rows of a statement, with every value as PostgreSQL writes it. */
export async function textRows(
  client: pg.Client,
  text: string,
  values: readonly unknown[] = [],
): Promise<(string | null)[][]> {
  const types = { getTypeParser: () => (value: string) => value };
  const result = await client.query<(string | null)[]>({ text, values: [...values], rowMode: 'array', types });
  return result.rows;
}
