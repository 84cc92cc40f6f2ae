import { randomInt } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dumpMetadata } from '../../src/metadata/dump/dump-metadata.ts';
import { type MetadataRow, renderRow } from '../../src/metadata/dump/metadata-row.ts';
import { openRaw } from '../support/metadata-stores.ts';
import { engineLibrary, startPlainServer } from '../support/plain-server/start-plain-server.ts';
import { type CliRun, runCli } from '../support/run-cli.ts';
import { type ServerUnderTest, serverClient } from '../support/server-engine.ts';
import { startEngine } from '../support/start-engine.ts';
import { startPostgres } from '../support/start-postgres.ts';
import { acme, ingestionKey, type RunningProgram, startProgram } from '../support/start-program.ts';

let folder: string;
let program: RunningProgram;
let server: ServerUnderTest;
const writers = 3;
const written = { isOver: false, acknowledged: [] as string[] };
let writing: Promise<unknown>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-backup-'));
  server = await emptyServer();
  program = await startProgram({ dataDir: join(folder, 'data'), provisioning: withWebhook });
  writing = Promise.all(Array.from({ length: writers }, (_, writer) => writeUntilOver(writer)));
});
afterAll(async () => {
  written.isOver = true;
  await writing;
  await program.stop();
  rmSync(folder, { recursive: true, force: true });
});

const withWebhook = {
  teams: acme.teams.map((team) => ({
    ...team,
    webhooks: [
      { name: 'ops', service: 'generic', url: 'http://127.0.0.1:9/hook', headers: { 'X-Token': 'HeaderMarker' } },
    ],
  })),
};

/** Logs of random sizes; each request is noted when it is acknowledged. */
async function writeUntilOver(writer: number): Promise<void> {
  for (let index = 0; !written.isOver; index++) {
    const id = `${writer}-${index}`;
    const logRecords = Array.from({ length: 3 }, (_, part) => ({
      timeUnixNano: String(BigInt(Date.now()) * 1_000_000n),
      body: { stringValue: 'x'.repeat(randomInt(1, 200)) },
      attributes: [{ key: 'write.id', value: { stringValue: `${id}/${part}` } }],
    }));
    const answer = await fetch(`${program.addresses.otlpHttp}/v1/logs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: ingestionKey },
      body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }),
    });
    if (answer.status === 200) written.acknowledged.push(id);
  }
}

/** How often each record is stored. */
async function storedRecords(of: RunningProgram): Promise<Map<string, number>> {
  const { data: sources } = (await listed(of, 'sources')) as { data: { id: string; kind: string }[] };
  const sourceId = sources.find(({ kind }) => kind === 'log')?.id;
  const counts = new Map<string, number>();
  for (let writer = 0; writer < writers; writer++) {
    const where = `LogAttributes['write.id'] LIKE '${writer}-%'`;
    const series = [{ sourceId, aggFn: 'count', where, whereLanguage: 'sql', groupBy: ['LogAttributes.write.id'] }];
    const range = { startTime: Date.now() - 3_600_000, endTime: Date.now() + 60_000, granularity: '1d' };
    const { status, json } = await of.call('POST', '/api/v2/charts/series', { ...range, series });
    expect(status, JSON.stringify(json)).toBe(200);
    for (const row of (json as { data: { group: string[]; 'series_0.data': number }[] }).data) {
      const id = row.group[0] ?? '';
      counts.set(id, (counts.get(id) ?? 0) + row['series_0.data']);
    }
  }
  return counts;
}

async function listed(of: RunningProgram, resource: string): Promise<unknown> {
  return (await of.call('GET', `/api/v2/${resource}`)).json;
}

const environmentOf = (dataDir: string) => ({ SIGNALBOX_DATA_DIR: dataDir });
const restored = () => join(folder, 'restored');
const backup = () => join(folder, 'backup');

function fine({ code, stderr }: CliRun): void {
  expect(code, stderr).toBe(0);
}

it('a backup made while telemetry is written restores everything that was acknowledged before, once', async () => {
  for (const name of ['first', 'second']) await program.call('POST', '/api/v2/dashboards', { name, tiles: [] });
  await expect.poll(() => written.acknowledged.length).toBeGreaterThan(40);
  const before = [...written.acknowledged];
  const made = await runCli(['backup', backup(), '--json'], environmentOf(program.dataDir));
  written.isOver = true;
  fine(made);
  expect(made.stderr).toMatch(/^Telemetry: 100 %$/m);
  expect(JSON.parse(made.stdout).telemetryRows).toBeGreaterThanOrEqual(3 * before.length);
  expect(readdirSync(join(program.dataDir, 'telemetry', 'shadow')).filter((name) => /backup/.test(name))).toEqual([]);

  const withoutKey = await runCli(['restore', backup()], environmentOf(restored()));
  fine(withoutKey);
  expect(withoutKey.stdout).toContain('There is no key, and the store was used with one.');
  cpSync(join(program.dataDir, 'secret-key'), join(restored(), 'secret-key'));
  const second = await startProgram({ dataDir: restored(), provisioning: null });
  try {
    const counts = await storedRecords(second);
    const expected = before.flatMap((id) => [0, 1, 2].map((part) => `${id}/${part}`));
    expect(expected.filter((id) => !counts.has(id))).toEqual([]);
    expect([...counts].filter(([, count]) => count !== 1)).toEqual([]);
    for (const resource of ['dashboards', 'sources', 'webhooks', 'alerts']) {
      expect(await listed(second, resource), resource).toEqual(await listed(program, resource));
    }
  } finally {
    await second.stop();
  }
});

it('a restore changes nothing where there is something, unless it is to be set aside', async () => {
  const [running, used] = await Promise.all([
    runCli(['restore', backup()], environmentOf(program.dataDir)),
    runCli(['restore', backup()], environmentOf(restored())),
  ]);
  expect(running).toMatchObject({ code: 1, stderr: expect.stringContaining('A program runs on the data folder') });
  expect(used).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty; with --replace') });
  const replaced = await runCli(['restore', backup(), '--only', 'metadata', '--replace'], environmentOf(restored()));
  fine(replaced);
  expect(replaced.stdout).toMatch(/^What was there before is in .*replaced-.*\.$/m);
  expect(replaced.stdout).not.toContain('Before you start');
  const names = readdirSync(restored());
  expect(names.filter((name) => name.startsWith('restoring-'))).toEqual([]);
  const [aside = ''] = names.filter((name) => name.startsWith('replaced-'));
  expect(readdirSync(join(restored(), aside))).toContain('metadata.db');
  expect(names).toContain('telemetry');
});

it('the doctor asks the engine of the running program, and opens the data of one that is stopped', async () => {
  const { api, web, otlpGrpc, otlpHttp } = program.addresses;
  const [apiPort, webPort, grpcPort, httpPort] = [api, web, otlpGrpc, otlpHttp].map((url) => new URL(url).port);
  const ports = {
    ...{ SIGNALBOX_API_PORT: `${apiPort}`, SIGNALBOX_WEB_PORT: `${webPort}` },
    ...{ SIGNALBOX_OTLP_GRPC_PORT: `${grpcPort}`, SIGNALBOX_OTLP_HTTP_PORT: `${httpPort}` },
  };
  const beside = await runCli(['doctor'], {
    ...environmentOf(program.dataDir),
    ...ports,
    SIGNALBOX_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  });
  expect(beside.stdout).toMatch(/^ok +program +It is running and ready\.$/m);
  expect(beside.stdout).toMatch(/^ok +telemetry store +The embedded engine of the running program answers/m);
  expect(beside.stdout).toMatch(/^ok +secret key +It opens all secrets \(1\)\.$/m);
  expect(beside.stdout).not.toMatch(/^error/m);
  expect(beside.code).toBe(0);
  const stopped = await runCli(['doctor', '--json'], {
    ...environmentOf(restored()),
    SIGNALBOX_ROLES: 'evaluator',
    SIGNALBOX_SECRET_KEY: 'not the key of this store',
  });
  expect(JSON.parse(stopped.stdout)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ check: 'secret key', level: 'error' }),
      expect.objectContaining({
        check: 'telemetry store',
        level: 'ok',
        message: expect.stringContaining('opens its data'),
      }),
    ]),
  );
  expect(stopped.code).toBe(1);
  expect(beside.stdout + stopped.stdout).not.toMatch(/HeaderMarker|not the key of this store/);
});

it('a backup is restored into servers, however often it is interrupted, once', async () => {
  const { raw, url, stop } = await emptyPostgres();
  const { url: address, user, secret = '' } = server.endpoint;
  const target = {
    ...environmentOf(join(folder, 'moved')),
    SIGNALBOX_CLICKHOUSE_URL: address.replace('//', `//${user}:${encodeURIComponent(secret)}@`),
    SIGNALBOX_POSTGRES_URL: url,
    SIGNALBOX_SECRET_KEY: readFileSync(join(program.dataDir, 'secret-key'), 'utf8').trim(),
  };
  try {
    const interrupted = await runCli(['restore', backup()], target, /^Telemetry: [1-9]/m);
    expect(interrupted.code).toBeNull();
    fine(await runCli(['restore', backup()], target));
    const again = await runCli(['restore', backup(), '--only', 'telemetry', '--add', '--json'], target);
    fine(again);
    const { telemetryRows } = JSON.parse(again.stdout);
    const { columns } = await serverClient(server).query(
      "SELECT count(), uniqExact(LogAttributes['write.id']) FROM otel.otel_logs",
      { timeoutMs: 60_000 },
    );
    expect(columns.map(([count]) => count)).toEqual([telemetryRows, telemetryRows]);

    const rows: MetadataRow[] = [];
    await dumpMetadata(raw, async (row) => void rows.push(row));
    const lines = readFileSync(join(backup(), 'metadata.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    expect(rows.map(renderRow).toSorted()).toEqual(lines.toSorted());
    const full = await runCli(['restore', backup()], target);
    expect(full).toMatchObject({ code: 1, stderr: expect.stringContaining('SIGNALBOX_POSTGRES_URL is not empty') });
  } finally {
    await stop();
  }
});

/** ClickHouse's own server, or what speaks like it where the engine's library cannot be opened as one. */
async function emptyServer(): Promise<ServerUnderTest> {
  const library = engineLibrary();
  if (library !== undefined) return startPlainServer(library);
  return { endpoint: (await startEngine()).endpoint(), topology: { kind: 'single' } };
}

async function emptyPostgres() {
  const server = await startPostgres();
  const url = await server.createDatabase();
  const raw = await openRaw({ kind: 'postgres', url });
  const stop = async () => {
    await raw.close();
    await server.stop();
  };
  return { url, raw, stop };
}
