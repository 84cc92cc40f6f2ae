import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pipeConnectors } from '../../src/app/pipe-connectors.ts';
import { RunnablePipes } from '../../src/app/runnable-pipes.ts';
import type { PipeInput } from '../../src/contract/pipe-input.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import { guardedAgent } from '../../src/notify/guarded-agent.ts';
import { SsrfGuard } from '../../src/notify/target-guard.ts';
import { KafkaServer } from '../support/kafka-server.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { accessKey, S3Server } from '../support/s3-server.ts';
import { startPostgres, type TestPostgres } from '../support/start-postgres.ts';

const serviceId = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
/** Nothing listens there. */
const closedPort = 9;

let s3: S3Server;
let kafka: KafkaServer;
let logical: PostgresServer;
let usual: TestPostgres;
let usualUrl: string;
let client: pg.Client;

beforeAll(async () => {
  [s3, kafka, logical, usual] = await Promise.all([
    S3Server.start(),
    KafkaServer.start(),
    startPostgresServer({ isLogical: true }),
    startPostgres(),
  ]);
  usualUrl = await usual.createDatabase();
  for (let at = 0; at < 9; at++) s3.put(`in/${at}.json`, '{}');
  for (const topic of ['orders', 'events']) kafka.createTopic(topic);
  client = new pg.Client(logical.url);
  await client.connect();
  await client.query(`CREATE TABLE orders (id int PRIMARY KEY); CREATE SCHEMA shop; CREATE TABLE shop.items (id int);
    CREATE VIEW seen AS SELECT 1; CREATE PUBLICATION other FOR TABLE shop.items`);
});
afterAll(async () => {
  await client.end();
  await Promise.all([logical.stop(), usual.stop()]);
});

async function check(source: object, allowedHosts = ['127.0.0.1']) {
  const guard = new SsrfGuard(allowedHosts);
  const dispatcher = guardedAgent(guard, 5_000);
  const tenants = { find: async () => undefined, list: async () => [] };
  const pipes = new RunnablePipes(pipeConnectors({ dispatcher, guard, clock: systemClock }), tenants);
  try {
    const pipe: PipeInput = { id: randomIds.uuid(), name: 'check', source };
    expect(pipes.sourceProblemsOf(pipe)).toEqual([]);
    return await pipes.check(pipe, serviceId);
  } finally {
    await dispatcher.destroy();
  }
}

const objects = (change: object = {}) => ({
  objectStorage: {
    ...{ type: 's3', authentication: 'IAM_USER', accessKey, format: 'JSONEachRow', url: `${s3.url}/in/*.json` },
    ...change,
  },
});
const topics = (change: object = {}) => ({
  kafka: { brokers: kafka.address, format: 'JSONEachRow', topics: 'orders', ...change },
});
function tables(url: string, change: object = {}) {
  const { hostname: host, port, username, password, pathname } = new URL(url);
  const mapped = [{ sourceSchemaName: 'public', sourceTable: 'orders', targetTable: 'orders' }];
  const credentials = { username, password: decodeURIComponent(password) };
  const place = { type: 'postgres', host, port: Number(port), database: pathname.slice(1), disableTls: true };
  return { postgres: { ...place, credentials, tableMappings: mapped, ...change } };
}

describe('a source that can be read', () => {
  it.each<[string, () => object, string[]]>([
    ['objects that match', () => objects(), Array.from({ length: 9 }, (_, at) => `in/${at}.json`)],
    ['topics', () => topics(), ['events', 'orders']],
    ['topics, none chosen yet', () => topics({ topics: undefined }), ['events', 'orders']],
    ['tables, and no views', () => tables(logical.url), ['public.orders', 'shop.items']],
    ['tables, none chosen yet', () => tables(logical.url, { tableMappings: [] }), ['public.orders', 'shop.items']],
  ])('%s are listed', async (_, source, names) => {
    expect(await check(source())).toEqual({ ok: true, names });
  });
});

const withoutTls = { disableTls: undefined };
const failures: [string, () => object, RegExp, string[]?][] = [
  ['objects, unreachable', () => objects({ url: `http://127.0.0.1:${closedPort}/lake/*` }), /cannot be reached/],
  [
    'objects, a wrong key',
    () => objects({ accessKey: { ...accessKey, secretKey: 'planted-wrong' } }),
    /denies access|rejects/,
  ],
  ['objects, a blocked address', () => objects(), /private, loopback/, []],
  ['Kafka, unreachable', () => topics({ brokers: `127.0.0.1:${closedPort}` }), /cannot be reached/],
  ['Kafka, a topic that is missing', () => topics({ topics: 'orders,none' }), /no topic none|topic/],
  ['Kafka, a blocked address', () => topics(), /private, loopback/, []],
  ['PostgreSQL, unreachable', () => tables(`postgres://a:planted@127.0.0.1:${closedPort}/x`), /cannot be reached/],
  [
    'PostgreSQL, a wrong password',
    () => tables(logical.url, { credentials: { username: 'postgres', password: 'planted-wrong' } }),
    /user name or the password/,
  ],
  ['PostgreSQL, no TLS', () => tables(logical.url, withoutTls), /does not offer TLS; set source\.postgres\.disableTls/],
  ['PostgreSQL, another database', () => tables(logical.url, { database: 'none' }), /no database/],
  ['PostgreSQL, wal_level', () => tables(usualUrl), /wal_level = logical/],
  [
    'PostgreSQL, a table that is missing',
    () => tables(logical.url, { tableMappings: [{ sourceTable: 'none', targetTable: 'none' }] }),
    /no table public\.none/,
  ],
  [
    'PostgreSQL, a publication that is missing',
    () => tables(logical.url, { settings: { publicationName: 'none' } }),
    /publication none does not exist/,
  ],
  [
    'PostgreSQL, a publication without the table',
    () => tables(logical.url, { settings: { publicationName: 'other' } }),
    /lacks the table public\.orders/,
  ],
  ['PostgreSQL, a blocked address', () => tables(logical.url), /private, loopback/, []],
];

describe('what is wrong is said in a sentence, without secrets, addresses and the words of other systems', () => {
  it.each(failures)('%s', async (_, source, sentence, allowedHosts) => {
    const answer = await check(source(), allowedHosts);
    expect(answer).toMatchObject({ ok: false, message: expect.stringMatching(sentence) });
    expect(answer.message).toMatch(/^[A-Zs].*\.$/);
    for (const foreign of ['planted', '127.0.0.1', accessKey.secretKey, 'ECONN', 'Error', 'pg_hba: '])
      expect(answer.message).not.toContain(foreign);
  });
});

it('Kafka, a wrong password', async () => {
  kafka.user = { username: 'ada', password: 'planted-right' };
  const credentials = { username: 'ada', password: 'planted-wrong' };
  const brokers = `SASL_PLAINTEXT://${kafka.address}`;
  const answer = await check(topics({ brokers, authentication: 'PLAIN', credentials }));
  kafka.user = undefined;
  expect(answer).toEqual({ ok: false, message: 'The brokers reject the user name or the password.' });
});

it('leaves nothing behind', async () => {
  const made = await client.query(
    'SELECT slot_name AS name FROM pg_replication_slots UNION SELECT pubname FROM pg_publication',
  );
  expect(made.rows).toEqual([{ name: 'other' }]);
  expect(kafka.committed.size).toBe(0);
});
