import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { askBroker } from './run-broker/ask-broker.ts';

/** A PostgreSQL server as one test file sees it. */
export interface TestPostgres {
  /** URL of a new, empty database. */
  createDatabase(): Promise<string>;
  /** A new, empty database owned by a separate user, whose password can be changed. */
  createOwnedDatabase(): Promise<OwnedDatabase>;
  /** Removes the databases. */
  stop(): Promise<void>;
}

export interface OwnedDatabase {
  /** Of its owner, with the first password. */
  readonly url: string;
  /** Open connections stay; new ones need this password. */
  setPassword(password: string): Promise<void>;
}

/** Databases on the server of `SIGNALBOX_TEST_POSTGRES_URL` when that is set, else on the one that all files share. */
export async function startPostgres(): Promise<TestPostgres> {
  return databasesOn(process.env.SIGNALBOX_TEST_POSTGRES_URL || (await askBroker<{ url: string }>('postgres')).url);
}

function databasesOn(serverUrl: string): TestPostgres {
  const names: string[] = [];
  const owners: string[] = [];
  const createDatabase = async () => {
    const name = `signalbox_test_${randomBytes(6).toString('hex')}`;
    await runOn(serverUrl, `create database ${name}`);
    names.push(name);
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    return url;
  };
  return {
    createDatabase: async () => (await createDatabase()).href,
    async createOwnedDatabase() {
      const url = await createDatabase();
      const name = url.pathname.slice(1);
      const setPassword = (password: string) => runOn(serverUrl, `alter role ${name} password '${password}'`);
      url.username = name;
      url.password = randomBytes(6).toString('hex');
      await runOn(serverUrl, `create role ${name} login password '${url.password}'`);
      owners.push(name);
      await runOn(serverUrl, `alter database ${name} owner to ${name}`);
      return { url: url.href, setPassword };
    },
    async stop() {
      for (const name of names) await runOn(serverUrl, `drop database if exists ${name} with (force)`);
      for (const name of owners) await runOn(serverUrl, `drop role ${name}`);
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
