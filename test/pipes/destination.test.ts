import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import { ClickHouseDestination } from '../../src/pipes/destination/clickhouse-destination.ts';
import { DestinationError } from '../../src/pipes/destination-port.ts';
import type { SourceBatch } from '../../src/pipes/source-port.ts';
import type { TargetTable } from '../../src/pipes/target-table.ts';
import { openEngine, type TestEngine } from '../support/start-engine.ts';

const database = 'pipes_destination';
const pipeId = randomIds.uuid();
const { signal } = new AbortController();
let engine: TestEngine;
let destination: ClickHouseDestination;
let tables = 0;

beforeAll(async () => {
  engine = await openEngine();
  const { topology } = engine;
  const cluster = topology.kind === 'cluster' ? { cluster: topology.cluster } : {};
  destination = new ClickHouseDestination({
    statements: engine.client,
    place: { database, ...cluster },
    ensureDatabase: () => engine.databases.ensure(database),
    settings: { max_threads: 2 },
    clock: systemClock,
  });
});

const columns = [
  { name: 'id', type: 'UInt64' },
  { name: 'name', type: 'String' },
];

function target(change: Partial<TargetTable> = {}): TargetTable {
  return { table: `t${++tables}`, isManaged: true, columns, sortingKey: ['id'], mappings: [], ...change };
}

function batch(text: string, change: Partial<SourceBatch> = {}): SourceBatch {
  return {
    identity: text,
    positions: [],
    format: 'JSONEachRow',
    body: [Buffer.from(text)],
    positionOf: (record) => `a.json:${record + 1}`,
    sourceBytes: text.length,
    phase: 'stream',
    ...change,
  };
}

async function write(into: TargetTable, what: SourceBatch, errorsMax = 10) {
  const prepared = await destination.prepare(into, signal);
  return prepared.write(what, { pipeId, token: what.identity, errorsMax, signal });
}

async function rowsOf(table: string, list = '*') {
  const sql = `SELECT ${list} FROM ${database}.\`${table}\` ORDER BY 1`;
  const { columns: found, rows } = await engine.client.query(sql, { timeoutMs: 10_000 });
  return Array.from({ length: rows }, (_, row) => found.map((column) => column[row]));
}

const errorsOf = (table: string) => rowsOf(`${table}_pipe_errors`, 'position, reason, record, toString(pipe_id)');

describe('rows', () => {
  it('a managed table is made, and the same batch is stored once, however often it is written', async () => {
    const into = target();
    const rows = batch('{"id":1,"name":"a"}\n{"id":2,"name":"b","extra":1}\n');
    for (let time = 0; time < 3; time++) expect(await write(into, rows)).toEqual({ rows: 2, errors: 0 });
    expect(await rowsOf(into.table)).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
  });

  it('fieldMappings rename and pick', async () => {
    const into = target({ mappings: [{ sourceField: 'order_id', destinationField: 'id' }] });
    await write(into, batch('{"order_id":7,"name":"not picked"}\n'));
    await write(into, batch('{"order_id":7,"name":"not picked"}\n'));
    expect(await rowsOf(into.table)).toEqual([[7, '']]);
  });

  it.each([
    ['by the order of columns', {}, '1,a\n2,"b\nc"\n'],
    [
      'by header, in another order, with a field that no column has',
      { fields: ['x', 'name', 'id'] },
      'q,a,1\nq,"b\nc",2\n',
    ],
    ['with another delimiter', { delimiter: ';' }, '1;a\n2;"b\nc"\n'],
  ])('CSV %s', async (_, change, text) => {
    const into = target();
    expect(await write(into, batch(text, { format: 'CSV', ...change }))).toEqual({ rows: 2, errors: 0 });
    expect(await rowsOf(into.table)).toEqual([
      [1, 'a'],
      [2, 'b\nc'],
    ]);
  });

  it('Parquet and Avro are read by the engine, by name', async () => {
    for (const format of ['Parquet', 'Avro'] as const) {
      const sql = "SELECT toUInt64(5) AS id, 'n' AS name, 1 AS extra";
      const file = await readAs(sql, format);
      const into = target();
      const written = await write(into, batch(format, { format, body: [file] }));
      expect(written.errors).toBe(0);
      expect(await rowsOf(into.table)).toEqual([[5, 'n']]);
    }
  });
});

async function readAs(sql: string, format: string): Promise<Buffer> {
  const { url, user, secret } = engine.endpoint();
  const headers = { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': secret };
  const answer = await fetch(`${url}/?default_format=${format}`, { method: 'POST', body: sql, headers });
  return Buffer.from(await answer.arrayBuffer());
}

describe('records that do not fit', () => {
  const poisoned = '{"id":1,"name":"a"}\n{"id":"zz"}\n{"id":3}\nnot json\n{"id":5}\n';

  it('go to the error table with reason, position and record, while the others are stored, each once', async () => {
    const into = target();
    for (let time = 0; time < 2; time++) expect(await write(into, batch(poisoned))).toEqual({ rows: 3, errors: 2 });
    expect((await rowsOf(into.table, 'id')).flat()).toEqual([1, 3, 5]);
    expect(await errorsOf(into.table)).toEqual([
      ['a.json:2', expect.stringMatching(/Cannot parse/), '{"id":"zz"}\n', pipeId],
      ['a.json:4', expect.any(String), 'not json\n', pipeId],
    ]);
  });

  it('reasons have no place of the engine in them', async () => {
    const into = target();
    await write(into, batch(poisoned));
    for (const [, reason] of await errorsOf(into.table)) expect(reason).not.toMatch(/\/|Exception|file/);
  });

  it('CSV with fields of wrong types, and with mappings', async () => {
    const into = target({ mappings: [{ sourceField: 'n', destinationField: 'id' }] });
    const text = 'x,1\ny,oops\nz,3\n';
    expect(await write(into, batch(text, { format: 'CSV', fields: ['s', 'n'] }))).toEqual({ rows: 2, errors: 1 });
    expect(await errorsOf(into.table)).toMatchObject([['a.json:2', expect.any(String), 'y,oops\n', pipeId]]);
  });

  it('a file that can be read only as a whole is one record', async () => {
    const into = target();
    const broken = batch('broken', { format: 'Parquet', body: [Buffer.from('PAR1 is not enough')] });
    expect(await write(into, broken)).toEqual({ rows: 0, errors: 1 });
    expect(await rowsOf(into.table)).toEqual([]);
  });

  it('too many of them end the run, after they are recorded', async () => {
    const into = target();
    const bad = batch('x\n'.repeat(20));
    await expect(write(into, bad, 3)).rejects.toMatchObject({ kind: 'rejected' });
    expect(await errorsOf(into.table)).toHaveLength(4);
  });
});

describe('tables that are there', () => {
  it('a retry into a table without a deduplication window stores rows once as well', async () => {
    const into = target({ isManaged: false });
    await engine.client.command(
      `CREATE TABLE ${database}.${into.table} (id UInt64, name String, at DateTime DEFAULT now()) ENGINE = MergeTree ORDER BY id`,
      { timeoutMs: 10_000 },
    );
    for (let time = 0; time < 2; time++) await write(into, batch('{"id":1}\n'));
    expect(await rowsOf(into.table, 'id')).toEqual([[1]]);
  });

  it('one that does not fit is reported, column by column', async () => {
    const into = target({ isManaged: false });
    await engine.client.command(
      `CREATE TABLE ${database}.${into.table} (id String, other UInt8) ENGINE = MergeTree ORDER BY id`,
      { timeoutMs: 10_000 },
    );
    await expect(destination.prepare(into, signal)).rejects.toThrow(
      `The column id of ${into.table} is String, not UInt64. The table ${into.table} has no column name.`,
    );
  });

  it('one that is missing is made only when it is managed', async () => {
    const failure = destination.prepare(target({ isManaged: false }), signal);
    await expect(failure).rejects.toThrow(/There is no table/);
    await expect(failure).rejects.toBeInstanceOf(DestinationError);
  });

  it.each([
    ['ReplacingMergeTree', { versionColumnId: 'id' }],
    ['SummingMergeTree', { columnIds: ['id'] }],
    ['Null', {}],
  ])('%s, with keys, partitions and expiry', async (type, columnsOfEngine) => {
    const into = target({
      columns: [...columns, { name: 'at', type: 'DateTime' }],
      engine: { type, ...columnsOfEngine },
      partitionBy: 'toYYYYMM(at)',
      primaryKey: 'name',
      sortingKey: ['name', 'at'],
      ttl: 'at + INTERVAL 50 YEAR',
    });
    await write(into, batch('{"id":1,"name":"a","at":"2026-01-01 00:00:00"}\n'));
    expect(await rowsOf(into.table, 'id')).toEqual(type === 'Null' ? [] : [[1]]);
  });
});
