import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { create, createEmptyCounts, endWindowSoon, firingAlert } from '../support/firing-alert.ts';
import { ingestionKey, type RunningProgram, startProgram } from '../support/start-program.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

const receiver = new WebhookReceiver();
let program: RunningProgram;

beforeAll(async () => {
  program = await startProgram({ env: { SIGNALBOX_ALERT_DELAY_MS: '0', SIGNALBOX_SELF_TELEMETRY: '1' } });
});

afterAll(async () => {
  await program.stop();
  await receiver.stop();
});

const text = async () => (await fetch(`${program.addresses.api}/metrics`)).text();

/** The value of one series, by its name and labels as `/metrics` writes them; `undefined` when it is not there. */
async function sampleOf(series: string): Promise<number | undefined> {
  const line = (await text()).split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

const increased = (series: string) => expect.poll(() => sampleOf(series), { message: series }).toBeGreaterThan(0);

it('rows that are sent show as batches, with their age and size', async () => {
  const logRecords = [{ timeUnixNano: `${Date.now()}000000`, body: { stringValue: 'hello' } }];
  const { status } = await fetch(`${program.addresses.otlpHttp}/v1/logs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: ingestionKey },
    body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }),
  });
  expect(status).toBe(200);
  await increased('otlp_records_total{signal="logs",outcome="stored"}');
  await increased('telemetry_batches_total{outcome="inserted"}');
  await increased('telemetry_batch_age_seconds_count');
  await increased('telemetry_batch_size_bytes_sum');
  expect(await sampleOf('telemetry_batches_held_bytes')).toBeGreaterThanOrEqual(0);
});

it('a chart that is requested twice shows as a query, and as a hit of the bucket cache', async () => {
  const { json } = await program.call('GET', '/api/v2/sources');
  const sourceId = (json as { data: { id: string; kind: string }[] }).data.find(({ kind }) => kind === 'log')?.id;
  const hourMs = 3_600_000;
  const endTime = Math.floor(Date.now() / hourMs) * hourMs;
  const series = [{ sourceId, aggFn: 'count', where: '', groupBy: [] }];
  const ask = { startTime: endTime - hourMs, endTime, granularity: '1m', series };
  for (let time = 0; time < 2; time++)
    expect((await program.call('POST', '/api/v2/charts/series', ask)).status).toBe(200);
  await increased('telemetry_queries_total{class="interactive",store="own",outcome="completed"}');
  await increased('telemetry_query_duration_seconds_count{class="interactive",store="own"}');
  expect(await sampleOf('telemetry_queries_running{class="interactive",store="own"}')).toBe(0);
  expect(await sampleOf('telemetry_queries_waiting{class="interactive",store="own"}')).toBe(0);
  await increased('bucket_cache_reads_total{result="miss"}');
  await increased('bucket_cache_reads_total{result="hit"}');
  await increased('bucket_cache_size_bytes');
  await increased('bucket_cache_entries');
});

it('an alert that fires shows as an evaluation with its lag, and a delivery', async () => {
  const { id: dashboardId, tiles } = await createEmptyCounts(program);
  const webhook = { name: 'ops', service: 'generic', url: await receiver.start() };
  const { id: webhookId } = await create(program, '/webhooks', webhook);
  const at = { dashboardId, tileId: tiles[0]?.id, webhookId };
  await endWindowSoon((window) => create(program, '/alerts', { ...firingAlert({ ...at, firesAtMs: 0 }), ...window }));
  await increased('alert_evaluations_total{result="evaluated"}');
  await increased('alert_evaluation_lag_seconds_count');
  await increased('notification_delivery_attempts_total{outcome="delivered"}');
  await increased('notification_delivery_duration_seconds_count');
  expect(await sampleOf('alert_missed_windows_total')).toBe(0);
});

it('an engine that crashes shows as restarted', async () => {
  expect(await sampleOf('engine_up')).toBe(1);
  const ready =
    program
      .output()
      .split('\n')
      .find((line) => line.includes('the embedded engine is ready')) ?? '{}';
  process.kill((JSON.parse(ready) as { pid: number }).pid, 'SIGKILL');
  await increased('engine_restarts_total{outcome="ready"}');
  await expect.poll(() => sampleOf('engine_up')).toBe(1);
});

it('names no tenant, key, address or statement, and nothing that docs/observability.md does not', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/observability.md'), 'utf8');
  const answer = await text();
  const names = [...answer.matchAll(/^# TYPE (\w+)/gm)].map((match) => match[1] ?? '');
  const own = names.filter((name) => !/^(process|nodejs)_/.test(name));
  expect(own.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
  for (const reported of ['127.0.0.1', 'Acme', 'SELECT', ingestionKey, 'ada@']) expect(answer).not.toContain(reported);
});
