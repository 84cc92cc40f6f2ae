import { afterAll, beforeAll, expect, it } from 'vitest';
import { create, createEmptyCounts, emptyService, firingAlert } from '../support/firing-alert.ts';
import { startEngine } from '../support/start-engine.ts';
import { startPostgres, type TestPostgres } from '../support/start-postgres.ts';
import { ingestionKey, type RunningProgram, startProgram } from '../support/start-program.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

const receiver = new WebhookReceiver();
let postgres: TestPostgres;
let programs: RunningProgram[] = [];
let url: string;

beforeAll(async () => {
  url = await receiver.start();
  postgres = await startPostgres();
  const engine = await startEngine();
  const clickhouse = new URL(engine.url);
  clickhouse.username = engine.supervisor.endpoint?.user ?? '';
  clickhouse.password = engine.supervisor.endpoint?.secret ?? '';
  const env = {
    SIGNALBOX_POSTGRES_URL: await postgres.createDatabase(),
    SIGNALBOX_CLICKHOUSE_URL: clickhouse.href,
    SIGNALBOX_SECRET_KEY: 'one secret key for both',
    SIGNALBOX_ALERT_DELAY_MS: '0',
  };
  programs = await Promise.all([startProgram({ env }), startProgram({ env })]);
}, 120_000);

afterAll(async () => {
  await Promise.all(programs.map((program) => program.stop()));
  await postgres?.stop();
  await receiver.stop();
});

async function log(program: RunningProgram): Promise<void> {
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: emptyService } }] };
  const logRecords = [{ timeUnixNano: String(BigInt(Date.now()) * 1_000_000n), body: { stringValue: 'an order' } }];
  const { status } = await fetch(`${program.addresses.otlpHttp}/v1/logs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: ingestionKey },
    body: JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] }),
  });
  expect(status).toBe(200);
}

const told = () => receiver.received.map(({ body }) => JSON.parse(body).state);

async function evaluatedWindows(program: RunningProgram, alertId: string): Promise<number> {
  const { json } = await program.call('GET', `/api/v2/alerts/${alertId}/history`);
  return (json as { data: unknown[] }).data.length;
}

it('U-38: two programs on one store tell once; after kill -9 of one the other evaluates the next window, and tells once', async () => {
  const [first, second] = programs;
  if (!first || !second) throw new Error('two programs were started');
  const webhook = await create(first, '/webhooks', { name: 'ops', service: 'generic', url });
  const { id: dashboardId, tiles } = await createEmptyCounts(first);
  const at = { dashboardId, tileId: tiles[0]?.id, webhookId: webhook.id, firesAtMs: Date.now() + 2_000 };
  const alert = await create(first, '/alerts', firingAlert(at));
  await expect.poll(told, { timeout: 30_000 }).toEqual(['ALERT']);
  expect(await evaluatedWindows(second, alert.id)).toBe(1);

  await first.kill('SIGKILL');
  await log(second);
  // Its next window ends a minute after the first.
  await expect.poll(() => evaluatedWindows(second, alert.id), { timeout: 150_000, interval: 500 }).toBe(2);
  await expect.poll(told, { timeout: 30_000 }).toEqual(['ALERT', 'OK']);
}, 240_000);
