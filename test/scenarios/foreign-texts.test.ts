import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newEngineClient, newSupervisor } from '../support/start-engine.ts';
import { acme, personalKey, type RunningProgram, startProgram } from '../support/start-program.ts';

/** What other systems say in every way they can; it may be a secret of the team whose system it is. */
const marker = 'payroll.MARKER-42';
const keyOfB = 'fedcba9876543210fedcba9876543210fedcba98';
const engineError = `Code: 60. DB::Exception: Table ${marker} does not exist. In scope SELECT '${marker}'. (UNKNOWN_TABLE)`;
const half = `{"meta":[{"name":"${marker}","type":"String"}],"data":{"${marker}":["`;

/** A path of the double, and what it answers there. */
const answers: Record<string, { status: number; headers?: Record<string, string>; body: string }> = {
  error: { status: 404, headers: { 'x-clickhouse-exception-code': '60' }, body: engineError },
  denied: { status: 403, headers: { 'x-clickhouse-exception-code': '516' }, body: `Code: 516. ${marker}` },
  timeout: { status: 500, headers: { 'x-clickhouse-exception-code': '159' }, body: `Code: 159. ${marker}` },
  memory: { status: 500, headers: { 'x-clickhouse-exception-code': '241' }, body: `Code: 241. ${marker}` },
  readonly: { status: 500, headers: { 'x-clickhouse-exception-code': '242' }, body: `Code: 242. ${marker}` },
  code: { status: 500, headers: { 'x-clickhouse-exception-code': marker }, body: marker },
  page: { status: 200, body: `<html><title>${marker}</title></html>` },
  half: { status: 200, body: half },
  late: { status: 200, body: `${half}\n${engineError}` },
  moved: { status: 302, headers: { location: `http://127.0.0.1:1/${marker}` }, body: marker },
  gateway: { status: 502, headers: { 'x-error': marker }, body: `<h1>${marker}</h1>` },
};

const team = (name: string, key: string) => ({
  name,
  users: [{ email: `${name.toLowerCase()}@example.com`, apiKeys: [{ name: 'ci', key }] }],
});

let program: RunningProgram;
let http: Server;
/** Speaks no HTTP and no TLS. */
let babbler: TcpServer;
let origin = '';
let babbling = '';

beforeAll(async () => {
  http = createServer((request, response) => {
    request.resume();
    const [, way = ''] = (request.url ?? '').split(/[/?]/);
    const { status, headers, body } = answers[way] ?? { status: 500, body: marker };
    response.writeHead(status, marker, headers).end(body);
  });
  babbler = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(`${marker} ${marker}\r\n\r\n`));
  });
  for (const server of [http, babbler]) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  babbling = `127.0.0.1:${(babbler.address() as AddressInfo).port}`;
  program = await startProgram({
    provisioning: { teams: [...acme.teams, team('Beta', keyOfB)] },
    env: { SIGNALBOX_SELF_TELEMETRY: '1', SIGNALBOX_LOG_LEVEL: 'debug' },
  });
});
afterAll(async () => {
  http?.close();
  babbler?.close();
  if (program) rmSync(program.dataDir, { recursive: true, force: true });
});

async function asB(method: string, path: string, body?: unknown) {
  return program.call(method, `/api/v2${path}`, body, keyOfB);
}

async function made(path: string, body: unknown): Promise<string> {
  const { status, json } = await asB('POST', path, body);
  expect(status, JSON.stringify(json)).toBe(200);
  return (json as { data: { id: string } }).data.id;
}

/** Everything that asks a database, over one connection of team B. */
async function askEverything(name: string, host: string): Promise<string[]> {
  const connection = await made('/connections', { name, host, username: 'reader', password: 'x' });
  const from = { databaseName: 'payroll', tableName: 'salaries' };
  const input = {
    kind: 'log',
    name,
    connection,
    from,
    timestampValueExpression: 'Timestamp',
    defaultTableSelectExpression: '*',
  };
  const sourceId = await made('/sources', input);
  const range = { startTime: Date.now() - 3_600_000, endTime: Date.now() };
  const series = [{ sourceId, aggFn: 'count', where: '', groupBy: [] }];
  const tile = { name: 't', series };
  const dashboardId = await made('/dashboards', { name, tiles: [tile] });
  const asked = await Promise.all([
    asB('POST', '/charts/series', { ...range, granularity: '1m', series }),
    asB('POST', '/charts/tiles', { ...range, tiles: [tile] }),
    asB('POST', '/search', { ...range, sourceId, source: sourceId }),
    asB('POST', '/search/patterns', { ...range, sourceId, source: sourceId, where: sourceId }),
    asB('POST', '/search/deltas', { ...range, sourceId, source: sourceId, selection: { where: sourceId } }),
    asB('POST', '/services', { ...range, sourceId }),
    asB('POST', '/services/map', { ...range, sourceId }),
    asB('POST', '/services/operations', { ...range, sourceId, service: sourceId }),
    asB('POST', '/services/errors', { ...range, sourceId, service: sourceId, where: sourceId }),
    asB('POST', '/search/export', { ...range, sourceId, format: 'csv' }),
    asB('POST', '/search/facets', { ...range, sourceId, source: sourceId }),
    asB('POST', '/sources/check', input),
    asB('GET', `/sources/${sourceId}/fields`),
    asB('GET', `/sources/${sourceId}/values?field=Body`),
    asB('POST', '/alerts/preview', {
      dashboardId,
      tileId: 'x',
      threshold: 1,
      interval: '1m',
      thresholdType: 'above',
      tile,
      ...range,
    }),
  ]);
  return asked.map(({ status, json }) => `${status} ${JSON.stringify(json)}`);
}

async function askReceiver(name: string, url: string, body?: string): Promise<string> {
  const id = await made('/webhooks', { name, service: 'generic', url, ...(body === undefined ? {} : { body }) });
  const { status, json } = await asB('POST', `/webhooks/${id}/test`);
  return `${status} ${JSON.stringify(json)}`;
}

it('what other systems say reaches neither the log nor the rows of any tenant', async () => {
  const reported: string[] = [];
  const places = [
    ...Object.keys(answers).map((way) => [way, `${origin}/${way}`] as const),
    ...['http', 'https'].map((scheme) => [`${scheme} babbler`, `${scheme}://${babbling}`] as const),
  ];
  await Promise.all(
    places.map(async ([name, url]) => reported.push(...(await askEverything(name, url)), await askReceiver(name, url))),
  );
  const template = await askReceiver('template', `${origin}/page`, `{"a": "{{ x | ${marker} }}{% ${marker} %}"}`);
  // Only the owner sees them, and only a kind and a code.
  expect(reported.filter((text) => text.includes('MARKER'))).toEqual([]);
  expect(reported.filter((text) => text.startsWith('500') && text.includes('went wrong'))).toEqual([]);
  expect(template).toMatch(/^200/);

  const selfTelemetry = async () => {
    const { json } = await program.call('GET', '/api/v2/sources', undefined, personalKey);
    const own = (json as { data: { id: string; name: string }[] }).data.find(({ name }) => name === 'Signalbox Logs');
    const series = [{ sourceId: own?.id, aggFn: 'count', where: '', groupBy: [] }];
    const range = { startTime: Date.now() - 3_600_000, endTime: Date.now() + 60_000, granularity: '1d' };
    const answer = await program.call('POST', '/api/v2/charts/series', { ...range, series });
    return (answer.json as { data: { 'series_0.data': number }[] }).data[0]?.['series_0.data'] ?? 0;
  };
  await expect.poll(selfTelemetry).toBeGreaterThan(20);
  await program.kill('SIGTERM');
  expect(program.output()).toContain('"msg":"request"');
  expect(
    program
      .output()
      .split('\n')
      .filter((line) => line.includes('MARKER')),
  ).toEqual([]);

  const rows = await everyRow(join(program.dataDir, 'telemetry'));
  const databases = Object.keys(rows);
  expect(databases).toEqual(expect.arrayContaining(['otel', 'otel_signalbox']));
  expect(rows.otel_signalbox?.length).toBeGreaterThan(1_000);
  expect(databases.filter((database) => rows[database]?.includes('MARKER'))).toEqual([]);
  // The program's own telemetry is separate from what the teams sent, which is nothing here.
  for (const database of databases.filter((name) => name !== 'otel_signalbox')) expect(rows[database]).toBe('');
});

/** All rows of all tables, by database, as text; the table into which readiness writes holds only times. */
async function everyRow(dataDir: string): Promise<Record<string, string>> {
  const supervisor = newSupervisor(dataDir);
  await supervisor.start();
  const client = newEngineClient(supervisor);
  const ask = async (sql: string) => (await client.query(sql, { timeoutMs: 20_000 })).columns;
  const [databases = [], tables = []] = await ask(
    `SELECT database, name FROM system.tables WHERE startsWith(database, 'otel') AND name != 'signalbox_write_probe'`,
  );
  const rows: Record<string, string> = {};
  for (const [at, database] of databases.entries()) {
    const columns = await ask(`SELECT * FROM \`${database}\`.\`${tables[at]}\``);
    const text = (columns[0]?.length ?? 0) === 0 ? '' : JSON.stringify(columns);
    rows[String(database)] = (rows[String(database)] ?? '') + text;
  }
  await client.close();
  await supervisor.stop();
  return rows;
}
