import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { beforeAll, describe, expect, it } from 'vitest';
import { insertPlaces } from '../../src/engine/insert-body.ts';
import type { TelemetryError } from '../../src/telemetry/ports.ts';
import { logBlock } from '../support/native-block.ts';
import { type OwnEngine, startEngine } from '../support/start-engine.ts';

/** Faults of the embedded engine's library, each found by measurement, that the child must keep from everyone. */
let engine: OwnEngine;
beforeAll(async () => {
  engine = await startEngine();
  await engine.databases.ensure('otel');
});

interface Asking {
  search?: Record<string, string>;
  body?: string | Buffer;
  key?: string;
  method?: 'GET' | 'POST';
  signal?: AbortSignal;
}

/** The interface itself, without our client. */
async function ask({ search, body, key, method, signal }: Asking) {
  const { url = '', secret = '' } = engine.supervisor.endpoint ?? {};
  const response = await request(`${url}/?${new URLSearchParams(search)}`, {
    method: method ?? 'POST',
    headers: { 'X-ClickHouse-Key': key ?? secret },
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
  });
  return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
}

const rows = async (sql: string) => (await engine.client.query(sql, { timeoutMs: 10_000 })).columns;
const reference = { body: 'SELECT number AS b, toString(number) AS g FROM numbers(50) FORMAT JSONCompactEachRow' };

describe('an answer never holds another statement’s bytes', () => {
  const slow = { max_block_size: '1000', max_threads: '1' };
  const failing: [string, string, Record<string, string>][] = [
    ['an exception in mid-answer', 'SELECT number, throwIf(number = 70000) FROM numbers(500000)', slow],
    ['a bad cast', `SELECT number, toUInt8(concat(if(number > 70000, 'x', ''), '1')) FROM numbers(500000)`, slow],
    [
      'a bad cast in WHERE',
      `SELECT number FROM numbers(500000) WHERE toUInt8(concat(if(number > 70000, 'x', ''), '1')) = 1`,
      slow,
    ],
    ['an exception inside an aggregate', 'SELECT sum(throwIf(number = 70000)) FROM numbers(500000)', slow],
    [
      'max_execution_time',
      'SELECT number, sleepEachRow(0.0001) FROM numbers(100000)',
      { ...slow, max_block_size: '100', max_execution_time: '0.2' },
    ],
    [
      'max_memory_usage',
      'SELECT number, groupArray(number) FROM numbers(3000000) GROUP BY number',
      { ...slow, max_memory_usage: '30000000' },
    ],
    ['max_result_rows', 'SELECT number FROM numbers(500000)', { ...slow, max_result_rows: '70000' }],
    ['max_rows_to_read', 'SELECT number FROM numbers(500000)', { ...slow, max_rows_to_read: '10' }],
    ['a syntax error', 'SELEC 1', {}],
    ['an unknown name', 'SELECT nope FROM numbers(3)', {}],
  ];

  it.each(failing)('after %s', async (_, sql, settings) => {
    const expected = await ask(reference);
    expect(expected.status).toBe(200);
    for (let round = 0; round < 3; round++) {
      const [failed, ...beside] = await Promise.all([
        ask({ search: settings, body: `${sql} FORMAT JSONCompactEachRow` }),
        ask(reference),
        ask(reference),
      ]);
      expect(failed?.status).not.toBe(200);
      expect(failed?.text).toMatch(/^Code: \d+\. DB::Exception: /);
      expect(failed?.headers['x-clickhouse-exception-code']).toMatch(/^\d+$/);
      for (const answer of [...beside, await ask(reference)]) expect(answer.text).toBe(expected.text);
    }
  });

  it('after a statement that was killed in the middle of its answer', async () => {
    const expected = await ask(reference);
    for (let round = 0; round < 3; round++) {
      const stop = new AbortController();
      const body = `SELECT number, 'killed ${round}', sleepEachRow(0.0001) FROM numbers(1000000) SETTINGS max_block_size = 100`;
      const killed = ask({ body, signal: stop.signal });
      const running = `SELECT count() FROM system.processes WHERE query LIKE '%killed ${round}%' AND query NOT LIKE '%processes%'`;
      await expect.poll(() => rows(running)).toEqual([[1]]);
      stop.abort();
      await expect(killed).rejects.toThrow();
      expect((await ask(reference)).text).toBe(expected.text);
      await expect.poll(() => rows(running)).toEqual([[0]]);
      expect((await ask(reference)).text).toBe(expected.text);
    }
  });
});

describe('insert data is never run', () => {
  beforeAll(async () => {
    const options = { timeoutMs: 10_000 };
    await engine.client.command('CREATE TABLE otel.lines (a String) ENGINE = MergeTree ORDER BY a', options);
    await engine.client.command('CREATE TABLE otel.victim (a String) ENGINE = MergeTree ORDER BY a', options);
  });
  const victim = () => rows(`SELECT count() FROM system.tables WHERE database = 'otel' AND name = 'victim'`);

  it.each([
    ['JSONEachRow', '{"a":"1"}\n\nDROP TABLE otel.victim'],
    ['CSV', '"1"\n\nDROP TABLE otel.victim'],
    ['TabSeparated', '1\n\nDROP TABLE otel.victim'],
    ['Values', `('1')\n\n;DROP TABLE otel.victim`],
    ['LineAsString', '1\n\nDROP TABLE otel.victim'],
  ])('as the body of %s', async (format, body) => {
    await ask({ search: { query: `INSERT INTO otel.lines FORMAT ${format}` }, body });
    expect(await victim()).toEqual([[1]]);
  });

  it.each([
    'INSERT INTO otel.lines FORMAT JSONEachRow {"a":"1"}\n\nDROP TABLE otel.victim',
    'INSERT INTO otel.lines FORMAT CSV\n1\n\nDROP TABLE otel.victim',
    'INSERT INTO otel.lines FORMAT JSONEachRow{"a":"1"}\n\nDROP TABLE otel.victim',
    `INSERT INTO otel.lines VALUES ('1')\n\nDROP TABLE otel.victim`,
    `INSERT INTO otel.lines VALUES ('1'); DROP TABLE otel.victim`,
  ])('inside the statement: %j', async (body) => {
    expect((await ask({ body })).status).not.toBe(200);
    expect(await victim()).toEqual([[1]]);
  });

  it('leaves no file behind, whether it was taken or not', async () => {
    await engine.inserter.insert({ database: 'otel', table: 'otel_logs', blocks: [logBlock(['x'])], token: 'file' });
    const bad = { database: 'otel', table: 'otel_logs', blocks: [Buffer.from('bad')], token: 'bad' } as const;
    await expect(engine.inserter.insert(bad)).rejects.toThrow();
    const { own, shared = own, owner } = insertPlaces(engine.dataDir);
    for (const place of [own, shared]) {
      const ours = readdirSync(place).filter((name) => name.startsWith(`signalbox-insert-${owner}`));
      for (const folder of ours) expect(readdirSync(join(place, folder))).toEqual([]);
    }
  });
});

describe('who may ask, and what', () => {
  it('rejects requests without the secret of this start', async () => {
    for (const key of ['', 'guess', 'x'.repeat(48)]) {
      const answer = await ask({ key, body: 'SELECT 1' });
      expect(answer).toMatchObject({ status: 403, headers: { 'x-clickhouse-exception-code': '516' } });
    }
  });

  it('says on /ping that it lives', async () => {
    const response = await request(`${engine.supervisor.endpoint?.url}/ping`);
    expect(await response.body.text()).toBe('Ok.\n');
  });

  it('lets GET read only, as ClickHouse does', async () => {
    expect(await ask({ method: 'GET', search: { query: 'SELECT 1' } })).toMatchObject({ status: 200, text: '1\n' });
    expect((await ask({ method: 'GET', search: { query: 'DROP TABLE otel.victim' } })).status).toBe(403);
  });

  it.each(['KILL QUERY WHERE 1 SYNC', 'SET max_threads = 1', 'USE otel', `SELECT 1 INTO OUTFILE '/tmp/x'`])(
    'rejects %j: statements that would block the engine, or outlive their session',
    async (body) => {
      expect((await ask({ body })).text).toMatch(/^Code: 48\./);
    },
  );

  it.each([{ 'a b': '1' }, { "x'": '1' }, { 'param_a-b': '1' }, { no_such_setting: '1' }])(
    'rejects a malformed or unknown setting: %j',
    async (search) => {
      expect((await ask({ search, body: 'SELECT 1' })).status).toBe(search && 'no_such_setting' in search ? 400 : 500);
      expect((await ask({ body: 'SELECT 1' })).text).toBe('1\n');
    },
  );

  it('runs parameterised statements side by side, each with its own values', async () => {
    const asked = Array.from({ length: 20 }, (_, at) =>
      engine.client.query('SELECT sleep(0.02), {p:String} AS p', { params: { p: `v${at}` }, timeoutMs: 20_000 }),
    );
    const answers = await Promise.all(asked);
    expect(answers.map(({ columns }) => columns[1])).toEqual(asked.map((_, at) => [`v${at}`]));
  });

  it('keeps the texts of parameters far beyond a usual header', async () => {
    const p = 'long '.repeat(20_000);
    const { columns } = await engine.client.query('SELECT length({p:String})', { params: { p }, timeoutMs: 10_000 });
    expect(columns).toEqual([[p.length]]);
  });
});

it('an error reaches the caller as its code, its text stays for the log', async () => {
  const error: TelemetryError = await engine.client
    .query('SELECT nope', { timeoutMs: 1_000 })
    .catch((reason) => reason);
  expect(error).toMatchObject({ kind: 'failed', engineCode: 47 });
});

describe('an answer is bounded before it is made', () => {
  it('a result larger than one answer is rejected, and costs the engine no memory', async () => {
    const before = (await engine.supervisor.usage())?.rssBytes ?? 0;
    // 60 texts of 4 MB, each selected ten times: 2.4 GB as text.
    const repeated = Array.from({ length: 10 }, (_, at) => `body AS b${at}`).join(', ');
    const sql = `SELECT ${repeated} FROM (SELECT repeat(repeat('x', 1000), 4000) AS body FROM numbers(60))`;
    const settings = { max_block_size: 1, max_threads: 1 };
    await expect(engine.client.query(sql, { timeoutMs: 60_000, settings })).rejects.toMatchObject({
      kind: 'limit',
      engineCode: 396,
    });
    const after = (await engine.supervisor.usage())?.rssBytes ?? 0;
    expect(after - before).toBeLessThan(1024 ** 3);
  });

  it('also in one block', async () => {
    const sql = `SELECT ${Array.from({ length: 10 }, (_, at) => `body AS b${at}`).join(', ')}
      FROM (SELECT repeat(repeat('x', 1000), 4000) AS body FROM numbers(60))`;
    await expect(engine.client.query(sql, { timeoutMs: 60_000 })).rejects.toMatchObject({ kind: 'limit' });
  });
});
