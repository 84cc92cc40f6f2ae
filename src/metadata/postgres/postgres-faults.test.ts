import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FaultyProxy, type ProxyFault } from '../../../test/support/faulty-proxy.ts';
import { startPostgres, type TestPostgres } from '../../../test/support/start-postgres.ts';
import { RecordingLogger } from '../../kernel/recording-logger.ts';
import { StoreUnavailableError } from '../../kernel/store-unavailable-error.ts';
import type { OpenStore } from '../metadata-database.ts';
import { openPostgres } from './open-postgres.ts';

/** Short, so that the suite need not wait; the program's own are in `open-postgres.ts`. */
const limits = { connectMs: 1_500, statementMs: 1_500, patientMs: 20_000 };

let server: TestPostgres;
let proxy: FaultyProxy;
let store: OpenStore;
let directUrl: string;

beforeAll(async () => {
  server = await startPostgres();
  directUrl = await server.createDatabase();
  const { hostname, port } = new URL(directUrl);
  proxy = new FaultyProxy({ host: hostname, port: Number(port) });
  await proxy.listen();
  const url = new URL(directUrl);
  url.port = String(proxy.port);
  store = await openPostgres(url.href, new RecordingLogger(), limits);
  await sql`create table notes (id integer primary key, text varchar(5))`.execute(store.writes);
});
afterAll(async () => {
  await store?.close();
  await proxy?.close();
  await server?.stop();
});
const read = () => sql`select pg_sleep(0.05)`.execute(store.reads);
let written = 0;
const write = (id = ++written) =>
  store.transact((inside) => sql`insert into notes values (${id}, 'x')`.execute(inside));

/** Reads and transactions under way at the same time, on both pools. */
async function underLoad(meanwhile: () => Promise<unknown>): Promise<PromiseSettledResult<unknown>[]> {
  const load = Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? read() : write()));
  const settled = Promise.allSettled(load);
  await meanwhile();
  return settled;
}

async function untilItWorks(): Promise<void> {
  await expect.poll(() => write().then(() => 'written', String), { timeout: 20_000 }).toBe('written');
  await expect.poll(() => read().then(() => 'read', String), { timeout: 20_000 }).toBe('read');
}

const failures = (outcomes: PromiseSettledResult<unknown>[]) =>
  outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as unknown);

describe('a PostgreSQL that fails under load ends no process: callers learn that the store is not available', () => {
  it.each<ProxyFault>(['reset', 'refused', 'frozen', 'half-open'])('%s', async (fault) => {
    for (let round = 0; round < (fault === 'reset' ? 6 : 1); round++) {
      const outcomes = await underLoad(() => proxy.set(fault));
      const later = await Promise.allSettled(
        fault === 'frozen' || fault === 'refused' ? [read(), write(), read(), write()] : [],
      );
      expect(failures(later)).toHaveLength(later.length);
      for (const reason of failures([...outcomes, ...later])) expect(reason).toBeInstanceOf(StoreUnavailableError);
      await proxy.set('none');
      await untilItWorks();
    }
  });

  it('half-open: new connections are used immediately after the first unresponsive one', async () => {
    await underLoad(async () => {});
    await proxy.set('half-open');
    await Promise.allSettled([read(), write()]);
    await untilItWorks();
    await proxy.set('none');
    await untilItWorks();
  });

  it('slow: everything is answered', async () => {
    await proxy.set('slow');
    expect(failures(await underLoad(async () => {}))).toEqual([]);
    await proxy.set('none');
    await untilItWorks();
  });

  it('every connection ended by an operator', async () => {
    const operator = new pg.Client({ connectionString: directUrl });
    await operator.connect();
    const outcomes = await underLoad(() =>
      operator.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()'),
    );
    for (const reason of failures(outcomes)) expect(reason).toBeInstanceOf(StoreUnavailableError);
    await operator.end();
    await untilItWorks();
  });

  it('authentication changed: refused until it is right again', async () => {
    const operator = new pg.Client({ connectionString: directUrl });
    await operator.connect();
    await operator.query(`create role guest login password 'first'`);
    const url = new URL(directUrl);
    url.username = 'guest';
    url.password = 'first';
    const guest = await openPostgres(url.href, new RecordingLogger(), limits);
    await operator.query(`alter role guest password 'second'`);
    await operator.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'guest'`);
    const ask = () => sql`select 1`.execute(guest.reads).then(() => 'answered', String);
    await expect.poll(ask).toMatch(/refuses the connection/);
    await operator.query(`alter role guest password 'first'`);
    await expect.poll(ask).toBe('answered');
    await guest.close();
    await operator.end();
  });
});

describe('what a server says of itself', () => {
  it.each([
    ['25006', 'read_only', sql`insert into notes values (1, 'x')`, 'set transaction read only'],
    ['57014', 'busy', sql`select pg_sleep(5)`, 'set local statement_timeout = 50'],
    ['55P03', 'busy', sql`lock table notes nowait`, 'set local lock_timeout = 50'],
  ])('%s is %s', async (code, failure, statement, before) => {
    const other = new pg.Client({ connectionString: directUrl });
    await other.connect();
    await other.query('begin; lock table notes in access exclusive mode');
    if (failure === 'read_only') await other.query('rollback');
    const failing = store.transact(async (inside) => {
      await sql.raw(before).execute(inside);
      await statement.execute(inside);
    });
    await expect(failing).rejects.toMatchObject({ name: 'StoreUnavailableError', failure, code });
    await other.end();
  });

  it('a wrong statement is no failure of the server, and its connection is used on', async () => {
    await expect(sql`select * from nowhere`.execute(store.reads)).rejects.toMatchObject({ code: '42P01' });
    await expect(write().then(() => write(written))).rejects.toMatchObject({ code: '23505' });
    await expect(read()).resolves.toBeDefined();
  });
});
