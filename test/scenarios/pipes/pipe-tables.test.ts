import { beforeAll, describe, expect, it } from 'vitest';
import { SourceInputSchema } from '../../../src/contract/source.ts';
import { bodyCheck } from '../../../src/http/schema-check.ts';
import { serviceId, TestApi } from '../../../src/http/testing.ts';
import { createErrorTableStatements } from '../../../src/pipes/destination/create-table.ts';
import { pipeTableOperations } from '../../../src/resources/pipe-tables/operations/pipe-table-operations.ts';
import { PipeTableService, type TenantSources } from '../../../src/resources/pipe-tables/pipe-table-service.ts';
import { FakePipeRepository } from '../../../src/resources/pipes/fake-pipe-repository.ts';
import { toSource } from '../../../src/resources/sources/to-source.ts';
import { type QueryRunner, TelemetryError } from '../../../src/telemetry/ports.ts';
import { openEngine, type TestEngine } from '../../support/start-engine.ts';

const pipeId = '11111111-2222-4333-8444-555555555555';
const otherPipeId = '11111111-2222-4333-8444-666666666666';
const emptyPipeId = '11111111-2222-4333-8444-777777777777';
const database = 'otel';
const awkward = "it's `quoted`";
const at = '2026-01-31T12:00:00.000Z';
const timeoutMs = 30_000;

let engine: TestEngine;
let created: object[];

/** The operations on tables of pipes over a real engine; `runner` stands in for its queries. */
function apiOver(runner: QueryRunner = engine.queryRunner): TestApi {
  const pipes = new FakePipeRepository();
  const tableMappings = [{ targetTable: 'orders' }, { targetTable: awkward }, { targetTable: 'never_failed' }];
  const written = { createdAt: at, updatedAt: at };
  const postgres = { name: 'shop', state: 'Running', source: { postgres: { tableMappings } } };
  void pipes.insert(serviceId, { ...written, id: pipeId, fields: postgres });
  const orders = { name: 'orders', state: 'Running', destination: { table: 'orders' } };
  void pipes.insert(serviceId, { ...written, id: otherPipeId, fields: orders });
  void pipes.insert(serviceId, { ...written, id: emptyPipeId, fields: { name: 'empty', state: 'Failed' } });
  created = [];
  const sources: TenantSources = {
    list: async () => [],
    create: async (_, input) => {
      const source = toSource('a'.repeat(24), input);
      created.push(source);
      return source;
    },
  };
  const builtIn = { id: 'c'.repeat(24), name: '', host: '', username: '', builtIn: true, createdAt: at, updatedAt: at };
  const tenant = { id: serviceId, kind: 'service', name: 'live', telemetryDatabase: database } as const;
  const service = new PipeTableService({
    ...{ pipes, sources, runner, schemas: engine.tableSchemas, checkSource: bodyCheck(SourceInputSchema) },
    connections: { list: async () => [builtIn] },
    tenants: { find: async () => tenant, list: async () => [tenant] },
  });
  return new TestApi('managed', pipeTableOperations(service));
}

async function addErrors(table: string, rows: readonly object[]): Promise<void> {
  for (const statement of createErrorTableStatements({ database }, table))
    await engine.client.command(statement, { timeoutMs });
  const name = `${database}.\`${table.replaceAll('`', '\\`')}_pipe_errors\``;
  const body = [Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))];
  const settings = { date_time_input_format: 'best_effort' };
  await engine.client.insertRaw({ statement: `INSERT INTO ${name} FORMAT JSONEachRow`, body, settings, timeoutMs });
}

/** Within the seven days for which records are kept. */
const nowMs = Date.now();
const error = (pipe_id: string, secondsAgo: number, record: string) => {
  const time = new Date(nowMs - secondsAgo * 1_000).toISOString();
  return { pipe_id, at: time, position: `line ${secondsAgo}`, reason: 'no number', record };
};

beforeAll(async () => {
  engine = await openEngine();
  await engine.databases.ensure(database);
  await addErrors('orders', [
    error(pipeId, 1, 'é'.repeat(5_000)),
    error(pipeId, 3, 'c'),
    error(otherPipeId, 0, 'foreign'),
  ]);
  await addErrors(awkward, [error(pipeId, 2, '{"a": 1}')]);
  const columns = 'id UInt64, placed_at DateTime, message String';
  await engine.client.command(`CREATE TABLE ${database}.orders (${columns}) ORDER BY id`, { timeoutMs });
  const name = `${database}.\`${awkward.replaceAll('`', '\\`')}\``;
  await engine.client.command(`CREATE TABLE ${name} (id UInt64, note String) ORDER BY id`, { timeoutMs });
});

const get = async (path: string, id = pipeId, api = apiOver()) => {
  const { status, json } = await api.send('GET', `/pipes/${id}${path}`, { key: 'reader' });
  const { result, error: text } = json as { result: never; error?: string };
  return { status, result: result as unknown, error: text };
};

describe('the rejected records of a pipe', () => {
  it('are those of all of its tables, newest first, without those of other pipes; long ones are cut', async () => {
    expect(await get('/errors')).toMatchObject({
      status: 200,
      result: [
        { table: 'orders', position: 'line 1', reason: 'no number', record: 'é'.repeat(4_096), recordChars: 5_000 },
        { table: awkward, position: 'line 2', record: '{"a": 1}', recordChars: 8 },
        { table: 'orders', position: 'line 3', record: 'c', recordChars: 1 },
      ],
    });
    expect((await get('/errors', otherPipeId)).result).toMatchObject([{ record: 'foreign' }]);
    expect((await get('/errors', emptyPipeId)).result).toEqual([]);
  });

  it('are at most as many as were asked for', async () => {
    expect((await get('/errors?limit=2')).result).toHaveLength(2);
    for (const limit of ['0', '1001', 'x']) expect((await get(`/errors?limit=${limit}`)).status).toBe(400);
  });

  it('cannot be read while the store restarts, which is 503 in words of ours', async () => {
    const run = async () => {
      throw new TelemetryError('unavailable', 'planted: connect ECONNREFUSED 10.0.0.1');
    };
    const { status, error: text } = await get('/errors', pipeId, apiOver({ run }));
    expect([status, text]).toEqual([503, expect.not.stringContaining('planted')]);
  });
});

describe('a source over a table of a pipe', () => {
  const source = {
    ...{ kind: 'log', name: 'orders', timestampValueExpression: 'placed_at' },
    defaultTableSelectExpression: 'placed_at, message',
  };
  const create = async (body: unknown, id = pipeId) => {
    const { status, json } = await apiOver().send('POST', `/pipes/${id}/source`, { body });
    return [status, (json as { error?: string }).error ?? ''] as const;
  };

  it('is proposed for the first table, or the one that is named', async () => {
    expect((await get('/source')).result).toMatchObject({
      table: 'orders',
      tables: ['orders', awkward, 'never_failed'],
      columns: [{ name: 'id', type: 'UInt64' }, { name: 'placed_at', type: 'DateTime' }, { name: 'message' }],
      source: { kind: 'log', timestampValueExpression: 'placed_at', bodyExpression: 'message' },
      sources: [],
    });
    const timeless = (await get(`/source?table=${encodeURIComponent(awkward)}`)).result;
    expect(timeless).toMatchObject({
      table: awkward,
      reason: expect.stringContaining('no column of the type DateTime'),
    });
    expect(timeless).not.toHaveProperty('source');
    const missing = (await get('/source?table=never_failed')).result;
    expect(missing).toMatchObject({
      columns: [],
      reason: expect.stringContaining('There is no table never_failed yet'),
    });
  });

  it.each([
    ['a table that is not its own', '?table=otel_logs', pipeId, /table: must be one of orders, /],
    ['no table at all', '', emptyPipeId, /table: the pipe names no table/],
  ])('is not proposed for %s', async (_, query, id, reason) => {
    expect(await get(`/source${query}`, id)).toMatchObject({ status: 400, error: expect.stringMatching(reason) });
  });

  it('is made where the pipe writes', async () => {
    const answer = await apiOver().send('POST', `/pipes/${pipeId}/source`, { body: source });
    const from = { databaseName: database, tableName: 'orders' };
    expect((answer.json as { result: object }).result).toMatchObject({ ...source, from });
    expect(created).toMatchObject([{ ...source, from, connection: 'c'.repeat(24) }]);
  });

  it.each<[string, unknown, RegExp]>([
    ['an expression that the table does not have', { ...source, bodyExpression: 'text' }, /bodyExpression: /],
    ['no time', { ...source, timestampValueExpression: 'id' }, /timestampValueExpression: must name a time column/],
    ['another place', { ...source, from: { databaseName: 'other', tableName: 't' } }, /from: is decided by the pipe/],
    ['a connection', { ...source, connection: 'c'.repeat(24) }, /connection: is decided by the pipe/],
    ['another kind', { ...source, kind: 'metric' }, /kind: must be log or trace/],
    ['a table that is not its own', { ...source, table: 'otel_logs' }, /table: must be one of/],
    ['a table that is no text', { ...source, table: 1 }, /table: must be a string/],
    ['a table that is not there', { ...source, table: 'never_failed' }, /There is no table never_failed yet/],
    ['too long a name', { ...source, name: 'x'.repeat(1_025) }, /name: /],
    ['a list', [], /must be a JSON object/],
  ])('is rejected with %s, and nothing is stored', async (_, body, reason) => {
    const [status, text] = await create(body);
    expect([status, text]).toEqual([400, expect.stringMatching(reason)]);
    expect(created).toEqual([]);
  });

  it('cannot be made with a read-only key, nor of a pipe of another service', async () => {
    const answer = await apiOver().send('POST', `/pipes/${pipeId}/source`, { body: source, key: 'reader' });
    expect([answer.status, created]).toEqual([403, []]);
    expect((await create(source, serviceId))[0]).toBe(404);
  });
});
