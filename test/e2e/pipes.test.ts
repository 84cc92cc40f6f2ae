import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readEndpoint } from '../../src/engine/endpoint-file.ts';
import { afterFile } from '../support/after-file.ts';
import { KafkaServer } from '../support/kafka-server.ts';
import { KinesisServer, kinesisKey } from '../support/kinesis-server.ts';
import { newEngineClient } from '../support/start-engine.ts';
import { type RunningProgram, startProgram } from '../support/start-program.ts';

const organizationId = '6f1c2a5e-0d0b-4f6e-9d0e-3a1b2c4d5e6f';
const serviceId = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const key = { keyId: 'AKIDEXAMPLE0000000001', keySecret: 'a-key-secret-of-the-test' };
const kills = Number(process.env.SIGNALBOX_TEST_PIPE_SIGKILLS ?? 2);
const rowsPerFile = 40_000;
const recordsPerPartition = 2_000;

let program: RunningProgram;

async function call(method: string, path: string, body?: object) {
  const url = `${program.addresses.api}/v1/organizations/${organizationId}/services/${serviceId}${path}`;
  const authorization = `Basic ${Buffer.from(`${key.keyId}:${key.keySecret}`).toString('base64')}`;
  const sent = body && { body: JSON.stringify(body) };
  const headers = { authorization, 'content-type': 'application/json' };
  const answer = await fetch(url, { method, headers, ...sent });
  return { status: answer.status, json: (await answer.json()) as { result: Record<string, unknown>; error?: string } };
}

it('seed §Pipe: pipes made by the API run, survive SIGKILL of the program, and stop', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-pipes-'));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  const lake = join(folder, 'lake');
  mkdirSync(lake);
  const service = { id: serviceId, name: 'production' };
  const apiKeys = [{ name: 'ci', ...key, role: 'admin' }];
  const kinesis = await KinesisServer.start();
  const options = {
    dataDir: join(folder, 'data'),
    provisioning: { organizations: [{ id: organizationId, name: 'Acme', apiKeys, services: [service] }] },
    env: {
      SIGNALBOX_FLAVOUR: 'managed',
      SIGNALBOX_ROLES: 'api,pipes',
      SIGNALBOX_PIPE_FILES_DIR: lake,
      SIGNALBOX_PIPE_KINESIS_URL: kinesis.url,
    },
  };
  let files = 0;
  const addFile = () => {
    const first = files * rowsPerFile;
    const lines = Array.from(
      { length: rowsPerFile },
      (_, index) => `{"id":${first + index},"text":"${'x'.repeat(40)}"}\n`,
    );
    writeFileSync(join(lake, `${files++}.json`), lines.join(''));
  };
  program = await startProgram(options);
  addFile();
  const { status, json } = await call('POST', '/pipes', {
    name: 'orders',
    source: { objectStorage: { url: `file://${lake}/*.json`, format: 'JSONEachRow', isContinuous: true } },
    destination: {
      table: 'orders',
      columns: [
        { name: 'id', type: 'UInt64' },
        { name: 'text', type: 'String' },
      ],
    },
    settings: { object_storage_polling_interval_ms: 100, engine_min_insert_block_size_bytes: 1_048_576 },
  });
  expect([status, json.error]).toEqual([200, undefined]);
  const id = String(json.result.id);
  const state = async () => (await call('GET', `/pipes/${id}`)).json.result.state;
  const rows = async () => (await call('GET', `/pipes/${id}/status`)).json.result.rows;
  const kafka = await KafkaServer.start();
  const topic = kafka.createTopic('events', 3);
  let records = 0;
  const addRecords = () => {
    for (const partition of topic.partitions) {
      partition.append(Array.from({ length: recordsPerPartition }, () => JSON.stringify({ id: records++ })));
    }
  };
  addRecords();
  const events = await call('POST', '/pipes', {
    name: 'events',
    source: { kafka: { brokers: kafka.address, topics: 'events', format: 'JSONEachRow' } },
    destination: { table: 'events', columns: [{ name: 'id', type: 'UInt64' }] },
    settings: { streaming_max_insert_wait_ms: 500 },
  });
  expect([events.status, events.json.error]).toEqual([200, undefined]);
  const stream = kinesis.create('clicks', 3);
  kinesis.recordsMax = 2_000;
  let clicks = 0;
  /** Shards are split and merged meanwhile. */
  const addClicks = () => {
    for (const shard of stream.open.keys()) {
      stream.put(
        shard,
        Array.from({ length: recordsPerPartition }, () => JSON.stringify({ id: clicks++ })),
      );
    }
    if (stream.open.length < 4) stream.split(0);
    else stream.merge(1, 3);
  };
  addClicks();
  const access = { region: 'eu-central-1', authentication: 'IAM_USER', accessKey: kinesisKey };
  const clicked = await call('POST', '/pipes', {
    name: 'clicks',
    source: { kinesis: { ...access, streamName: 'clicks', format: 'JSONEachRow' } },
    destination: { table: 'clicks', columns: [{ name: 'id', type: 'UInt64' }] },
    settings: { streaming_max_insert_wait_ms: 500 },
  });
  expect([clicked.status, clicked.json.error]).toEqual([200, undefined]);
  const often = { interval: 20 };
  for (let kill = 0; kill < kills; kill++) {
    const before = Number(await rows());
    addFile();
    addRecords();
    addClicks();
    await expect.poll(rows, often).toBeGreaterThan(before);
    await program.kill('SIGKILL');
    program = await startProgram(options);
  }
  addFile();
  addRecords();
  addClicks();
  await expect.poll(rows, often).toBe(files * rowsPerFile);
  expect(await state()).toBe('Running');
  const endpoint = readEndpoint(join(options.dataDir, 'telemetry'));
  const engine = newEngineClient({ endpoint });
  const count = files * rowsPerFile;
  const stored = async (table: string) => {
    const sql = `SELECT count(), uniqExact(id), max(id) FROM otel.${table}`;
    return (await engine.query(sql, { timeoutMs: 10_000 })).columns.map(([value]) => value);
  };
  expect(await stored('orders')).toEqual([count, count, count - 1]);
  await expect.poll(() => stored('events'), often).toEqual([records, records, records - 1]);
  await expect.poll(() => stored('clicks'), often).toEqual([clicks, clicks, clicks - 1]);
  await engine.close();
  expect((await call('PATCH', `/pipes/${id}/state`, { command: 'stop' })).json.result.state).toBe('Stopping');
  await expect.poll(state, often).toBe('Stopped');
  expect((await call('DELETE', `/pipes/${id}`)).status).toBe(200);
  const metrics = await (await fetch(`${program.addresses.api}/metrics`)).text();
  expect(metrics).toContain(`pipe_rows_total{pipe_id="${id}"}`);
  await program.stop();
});
