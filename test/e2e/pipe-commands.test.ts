import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { type RunningProgram, startProgram } from '../support/start-program.ts';

const organizationId = '6f1c2a5e-0d0b-4f6e-9d0e-3a1b2c4d5e6f';
const serviceId = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const otherServiceId = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4e';
const pipeId = '11111111-2222-4333-8444-555555555555';
const admin = { keyId: 'AKIDEXAMPLE0000000001', keySecret: 'a-key-secret-of-the-test' };
const reader = { keyId: 'AKIDEXAMPLE0000000002', keySecret: 'another-secret-of-the-test' };

let folder: string;
let env: Record<string, string>;
let program: RunningProgram;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-pipe-commands-'));
  const lake = join(folder, 'lake');
  mkdirSync(lake);
  const lines = [
    '{"id":1,"placed_at":"2026-01-31 12:00:00","message":"paid"}',
    '{"id":"one","placed_at":"2026-01-31 12:00:01","message":"lost"}',
    '{"id":2,"placed_at":"2026-01-31 12:00:02","message":"sent"}',
  ];
  writeFileSync(join(lake, 'a.json'), `${lines.join('\n')}\n`);
  env = {
    SIGNALBOX_FLAVOUR: 'managed',
    SIGNALBOX_DATA_DIR: join(folder, 'data'),
    SIGNALBOX_PIPE_FILES_DIR: lake,
  };
  const apiKeys = [
    { name: 'ci', ...admin, role: 'admin' },
    { name: 'status page', ...reader, role: 'read' },
  ];
  const services = [
    { id: serviceId, name: 'production' },
    { id: otherServiceId, name: 'staging' },
  ];
  program = await startProgram({
    dataDir: join(folder, 'data'),
    provisioning: { organizations: [{ id: organizationId, name: 'Acme', apiKeys, services }] },
    env: { ...env, SIGNALBOX_ROLES: 'api,pipes' },
  });
  const pipe = {
    id: pipeId,
    name: 'orders',
    state: 'Stopped',
    source: { objectStorage: { url: `file://${lake}/*.json`, format: 'JSONEachRow', isContinuous: true } },
    destination: {
      table: 'orders',
      columns: [
        { name: 'id', type: 'UInt64' },
        { name: 'placed_at', type: 'DateTime' },
        { name: 'message', type: 'String' },
      ],
    },
    settings: { object_storage_polling_interval_ms: 100 },
  };
  writeFileSync(join(folder, 'pipe.json'), JSON.stringify(pipe));
});

afterAll(async () => {
  await program?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const pipes = (...argv: string[]) => runCli(['pipes', ...argv, '--service', 'production'], env);

async function call(method: string, path: string, { body, key = admin }: { body?: object; key?: typeof admin } = {}) {
  const url = `${program.addresses.api}/v1/organizations/${organizationId}/services/${serviceId}${path}`;
  const authorization = `Basic ${Buffer.from(`${key.keyId}:${key.keySecret}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  // The test compares what it needs of it.
  const { result, error } = (await answer.json()) as { result: never; error?: string };
  return { status: answer.status, result: result as unknown, error };
}

it('the commands check a source, run its pipe, show how it is doing and stop it, with codes for scripts', async () => {
  const file = join(folder, 'pipe.json');
  const checked = await pipes('check', file);
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringMatching(/^The source can be read\.\n.*a\.json\n$/)]);
  expect((await pipes('apply', file)).code).toBe(0);
  const started = await pipes('start', 'orders', '--wait');
  expect([started.code, started.stdout]).toEqual([0, `orders (${pipeId}): Running\n`]);
  expect(started.stderr).toMatch(/Provisioning\n(.*\n)*.*Running\n$/);
  expect((await pipes('wait', 'orders')).stdout).toBe(`orders (${pipeId}): Running\n`);
  const status = async () => JSON.parse((await pipes('status', pipeId, '--json')).stdout);
  await expect.poll(status, { interval: 20 }).toMatchObject({ state: 'Running', rows: 2, errors: 1 });
  const shown = await pipes('status', 'orders');
  expect(shown.stdout).toMatch(/^rows +2$/m);
  expect(shown.stdout).toMatch(/^errors +1$/m);
  expect((await pipes('list')).stdout).toMatch(/ID +NAME +STATE +ROWS +LAG +LAST SUCCESS\n.*orders +Running +2 /);
  const again = await pipes('start', 'orders');
  expect([again.code, again.stdout]).toEqual([1, '']);
  expect(again.stderr).toMatch(/^The pipe is Running, so it cannot start; it is possible in .*\.\n$/);
  const stopped = await pipes('stop', 'orders', '--wait', '--json');
  expect([stopped.code, JSON.parse(stopped.stdout)]).toEqual([0, expect.objectContaining({ state: 'Stopped' })]);
  const metrics = await (await fetch(`${program.addresses.api}/metrics`)).text();
  expect(metrics).toContain(`pipe_state{pipe_id="${pipeId}",state="Stopped"} 1`);
  const missing = await runCli(['pipes', 'status', 'orders', '--service', 'staging'], env);
  expect([missing.code, missing.stderr]).toEqual([1, 'There is no pipe "orders" in this service.\n']);
  const help = await runCli(['pipes', 'start', '--help'], env);
  expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('signalbox pipes start orders --wait')]);
  expect((await pipes('start', 'orders', '--timeout', 'soon')).code).toBe(2);
});

it('the rejected records can be read, and the table becomes a source; a read-only key looks on', async () => {
  const errors = await call('GET', `/pipes/${pipeId}/errors`, { key: reader });
  expect(errors).toMatchObject({
    status: 200,
    result: [
      { table: 'orders', position: expect.stringContaining('a.json'), record: expect.stringContaining('"one"') },
    ],
  });
  const statuses = await call('GET', '/pipes/status', { key: reader });
  expect(statuses.result).toMatchObject([{ id: pipeId, state: 'Stopped', rows: 2, errors: 1 }]);
  const proposed = await call('GET', `/pipes/${pipeId}/source`, { key: reader });
  const source = {
    kind: 'log',
    name: 'orders',
    timestampValueExpression: 'placed_at',
    defaultTableSelectExpression: 'placed_at, message',
    bodyExpression: 'message',
    implicitColumnExpression: 'message',
  };
  expect(proposed.result).toMatchObject({ table: 'orders', source, sources: [] });
  const create = (body: object, key = admin) => call('POST', `/pipes/${pipeId}/source`, { body, key });
  expect((await create(source, reader)).status).toBe(403);
  const wrong = await create({ ...source, bodyExpression: 'text' });
  expect([wrong.status, wrong.error]).toEqual([400, expect.stringContaining('bodyExpression')]);
  expect((await create({ ...source, from: { databaseName: 'x', tableName: 'y' } })).status).toBe(400);
  expect((await create({ ...source, table: 'otel_logs' })).error).toContain('must be one of orders');
  const made = await create(source);
  expect(made).toMatchObject({ status: 200, result: { ...source, from: { tableName: 'orders' } } });
  const { id } = made.result as { id: string };
  expect((await call('GET', '/stack/sources')).result).toContainEqual(expect.objectContaining({ id, name: 'orders' }));
  expect((await call('GET', `/pipes/${pipeId}/source`)).result).toMatchObject({ sources: [{ id, name: 'orders' }] });
});
