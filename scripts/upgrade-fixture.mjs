// Writes what a version of the program leaves in its data folder into one file, for the test that later versions can open it:
//   node scripts/upgrade-fixture.mjs <folder with main.js> test/e2e/upgrade/<version>.json.br
// The file also holds what that version answered, so the test needs to know nothing about it.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { brotliCompressSync, constants } from 'node:zlib';

const [programFolder, output] = process.argv.slice(2);
if (!programFolder || !output) {
  console.error('Usage: node scripts/upgrade-fixture.mjs <folder with main.js> <output>');
  process.exit(2);
}

const personalKey = '0123456789abcdef0123456789abcdef01234567';
const ingestionKey = 'ingest-0123456789abcdef0123456789abcdef';
const team = {
  name: 'Acme',
  users: [{ email: 'ada@example.com', password: 'correct-horse-battery', apiKeys: [{ name: 'ci', key: personalKey }] }],
  ingestionKeys: [{ name: 'default', key: ingestionKey }],
  webhooks: [{ name: 'ops', service: 'generic', url: 'https://example.org/hook', headers: { 'X-Token': 'a header' } }],
};
const resources = [
  'dashboards',
  'deleted-dashboards',
  'alerts',
  'sources',
  'webhooks',
  'saved-searches',
  'silences',
  'connections',
];

const work = mkdtempSync(join(tmpdir(), 'signalbox-fixture-'));
const dataFolder = join(work, 'data');
writeFileSync(join(work, 'provisioning.json'), JSON.stringify({ teams: [team] }));
const program = await start();
const answers = await fill().finally(stop);
const fixture = { personalKey, answers, files: filesIn(dataFolder) };
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } };
writeFileSync(output, brotliCompressSync(JSON.stringify(fixture), quality));
rmSync(work, { recursive: true });

async function fill() {
  await sendTelemetry();
  await makeObjects();
  return Object.fromEntries(await Promise.all(resources.map(async (name) => [name, await call('GET', name)])));
}

async function stop() {
  program.child.kill('SIGTERM');
  await new Promise((done) => program.child.once('close', done));
}

async function start() {
  const env = {
    PATH: process.env.PATH,
    SIGNALBOX_DATA_DIR: dataFolder,
    SIGNALBOX_PROVISIONING: join(work, 'provisioning.json'),
    SIGNALBOX_SELF_TELEMETRY: '0',
    // The records must not expire while the file is kept.
    ...Object.fromEntries(
      ['LOGS', 'TRACES', 'METRICS'].map((signal) => [`SIGNALBOX_RETENTION_DAYS_${signal}`, '18250']),
    ),
    ...Object.fromEntries(['API', 'WEB', 'OTLP_GRPC', 'OTLP_HTTP'].map((port) => [`SIGNALBOX_${port}_PORT`, '0'])),
  };
  const child = spawn(process.execPath, [join(resolve(programFolder), 'main.js'), 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { msg, addresses } = JSON.parse(line);
    if (msg === 'ready') return { child, addresses };
  }
  throw new Error('the program did not start');
}

async function call(method, path, body) {
  const answer = await fetch(`${program.addresses.api}/api/v2/${path}`, {
    method,
    headers: { authorization: `Bearer ${personalKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const json = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(json)}`);
  return json;
}

async function makeObjects() {
  const { data: sources } = await call('GET', 'sources');
  const { data: webhooks } = await call('GET', 'webhooks');
  const source = sources.find(({ kind }) => kind === 'log').id;
  const series = [{ sourceId: source, aggFn: 'count', where: 'payment', groupBy: ['ServiceName'] }];
  const { data: dashboard } = await call('POST', 'dashboards', {
    name: 'Shop',
    tags: ['a'],
    tiles: [{ name: 'Logs', series }],
  });
  await call('PUT', `dashboards/${dashboard.id}`, { tags: ['a', 'b'] });
  const { data: mistake } = await call('POST', 'dashboards', { name: 'Mistake' });
  await call('DELETE', `dashboards/${mistake.id}`);
  const { data: search } = await call('POST', 'saved-searches', {
    name: 'Errors',
    sourceId: source,
    where: 'SeverityText:error',
  });
  const channel = { type: 'webhook', webhookId: webhooks[0].id };
  const condition = { threshold: 5, thresholdType: 'above', interval: '5m', channel };
  await call('POST', 'alerts', {
    ...condition,
    ...{ source: 'tile', name: 'Payments', dashboardId: dashboard.id, tileId: dashboard.tiles[0].id },
  });
  await call('POST', 'alerts', { ...condition, source: 'saved_search', name: 'Errors', savedSearchId: search.id });
  const startsAt = new Date(Date.now() + 3_600_000).toISOString();
  const endsAt = new Date(Date.now() + 7_200_000).toISOString();
  await call('POST', 'silences', { name: 'Maintenance', startsAt, endsAt, match: {} });
}

async function sendTelemetry() {
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'checkout' } }] };
  const attributes = [{ key: 'order', value: { stringValue: 'of 20' } }];
  const timeUnixNano = `${BigInt(Date.now()) * 1_000_000n}`;
  const moment = { startTimeUnixNano: timeUnixNano, timeUnixNano, attributes };
  const temporality = { aggregationTemporality: 2 };
  const metrics = [
    { name: 'gauge', gauge: { dataPoints: [{ ...moment, asDouble: 1.5 }] } },
    { name: 'sum', sum: { ...temporality, isMonotonic: true, dataPoints: [{ ...moment, asInt: '7' }] } },
    {
      name: 'histogram',
      histogram: {
        ...temporality,
        dataPoints: [{ ...moment, count: '2', sum: 3, bucketCounts: ['1', '1'], explicitBounds: [1] }],
      },
    },
    {
      name: 'exponential',
      exponentialHistogram: {
        ...temporality,
        dataPoints: [
          { ...moment, count: '1', sum: 2, scale: 1, zeroCount: '0', positive: { offset: 0, bucketCounts: ['1'] } },
        ],
      },
    },
    {
      name: 'summary',
      summary: { dataPoints: [{ ...moment, count: '1', sum: 2, quantileValues: [{ quantile: 0.5, value: 2 }] }] },
    },
  ];
  const logRecords = Array.from({ length: 20 }, (_, at) => ({
    ...{ timeUnixNano, severityText: 'error', attributes },
    body: { stringValue: `payment ${at} declined` },
  }));
  const span = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', name: 'POST /pay', kind: 2 };
  const spans = [{ ...span, startTimeUnixNano: timeUnixNano, endTimeUnixNano: timeUnixNano, attributes }];
  await send('logs', { resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] });
  await send('traces', { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] });
  await send('metrics', { resourceMetrics: [{ resource, scopeMetrics: [{ metrics }] }] });
}

async function send(signal, body) {
  const answer = await fetch(`${program.addresses.otlpHttp}/v1/${signal}`, {
    method: 'POST',
    headers: { authorization: ingestionKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok || text.includes('rejected')) throw new Error(`${signal}: ${answer.status} ${text}`);
}

function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath ?? entry.path, entry.name);
      return [relative(folder, path).split(sep).join('/'), readFileSync(path).toString('base64')];
    }),
  );
}
