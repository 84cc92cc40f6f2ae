import { afterAll, beforeAll, expect, it } from 'vitest';
import { create, createEmptyCounts, emptyService, endWindowSoon, firingAlert } from '../support/firing-alert.ts';
import { openEngine } from '../support/start-engine.ts';
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
  const { url: engineUrl, user, secret } = (await openEngine()).endpoint();
  const clickhouse = Object.assign(new URL(engineUrl), { username: user, password: secret });
  const env = {
    SIGNALBOX_POSTGRES_URL: await postgres.createDatabase(),
    SIGNALBOX_CLICKHOUSE_URL: clickhouse.href,
    SIGNALBOX_SECRET_KEY: 'one secret key for both',
    SIGNALBOX_ALERT_DELAY_MS: '0',
  };
  programs = await Promise.all([startProgram({ env }), startProgram({ env })]);
});

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

const sentStates = () => receiver.received.map(({ body }) => JSON.parse(body).state);

interface Window {
  state: string;
  notifications: { state: string }[];
}

async function history(program: RunningProgram, alertId: string): Promise<Window[]> {
  const { json } = await program.call('GET', `/api/v2/alerts/${alertId}/history`);
  return (json as { data: Window[] }).data;
}

it('U-38: two programs on one store notify once; after kill -9 of one the other evaluates the next window, and notifies once', async () => {
  const [first, second] = programs;
  if (!first || !second) throw new Error('two programs were started');
  const webhook = await create(first, '/webhooks', { name: 'ops', service: 'generic', url });
  const { id: dashboardId, tiles } = await createEmptyCounts(first);
  const at = { dashboardId, tileId: tiles[0]?.id, webhookId: webhook.id, firesAtMs: Date.now() + 2_000 };
  const alert = await create(first, '/alerts', firingAlert(at));
  await expect.poll(sentStates).toEqual(['ALERT']);
  // A message that was sent but not recorded when the first dies is sent once more.
  const outcomes = async () => (await history(second, alert.id)).map(({ notifications }) => notifications[0]?.state);
  await expect.poll(outcomes).toEqual(['delivered']);

  await first.kill('SIGKILL');
  await log(second);
  await endWindowSoon(async (window) => {
    const moved = { ...firingAlert(at), ...window };
    expect((await second.call('PUT', `/api/v2/alerts/${alert.id}`, moved)).status).toBe(200);
  });
  const states = async () => (await history(second, alert.id)).map(({ state }) => state).slice(-2);
  await expect.poll(states, { interval: 250 }).toEqual(['OK', 'ALERT']);
  await expect.poll(sentStates).toEqual(['ALERT', 'OK']);
});
