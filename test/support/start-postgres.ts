import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { askBroker } from './run-broker/ask-broker.ts';

/** A PostgreSQL server as one test file sees it. */
export interface TestPostgres {
  /** URL of a new, empty database. */
  createDatabase(): Promise<string>;
  /** Removes the databases. */
  stop(): Promise<void>;
}

/** Databases on the server of `SIGNALBOX_TEST_POSTGRES_URL` when that is set, else on the one that all files share. */
export async function startPostgres(): Promise<TestPostgres> {
  return databasesOn(process.env.SIGNALBOX_TEST_POSTGRES_URL || (await askBroker<{ url: string }>('postgres')).url);
}

function databasesOn(serverUrl: string): TestPostgres {
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
