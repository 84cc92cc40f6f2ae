import { afterAll, beforeAll, expect, it } from 'vitest';
import { create, createEmptyCounts, firingAlert } from '../support/firing-alert.ts';
import { acme, type RunningProgram, startProgram } from '../support/start-program.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

const bobsKey = 'b0b0123456789abcdef0123456789abcdef01234';
const receiver = new WebhookReceiver();
let program: RunningProgram;
let webhookId: string;

beforeAll(async () => {
  const url = await receiver.start();
  const [team] = acme.teams;
  const bob = {
    email: 'bob@example.com',
    password: 'correct-horse-battery',
    apiKeys: [{ name: 'scripts', key: bobsKey }],
  };
  program = await startProgram({
    provisioning: { teams: [{ ...team, users: [...(team?.users ?? []), bob] }] },
    env: { SIGNALBOX_ALERT_DELAY_MS: '0' },
  });
  webhookId = (await create(program, '/webhooks', { name: 'ops', service: 'generic', url })).id;
});

afterAll(async () => {
  await program.stop();
  await receiver.stop();
});

/** Alerts that have sent notifications so far. */
const notified = () => receiver.received.map(({ body }) => JSON.parse(body).alert.id);

it('U-80, U-84: the key with which an alert was created is replaced, then its owner leaves; the alert keeps running', async () => {
  const { id: dashboardId, tiles } = await createEmptyCounts(program, 1, bobsKey);
  const at = { dashboardId, tileId: tiles[0]?.id, webhookId, firesAtMs: Date.now() + 3_000 };
  const alert = await create(program, '/alerts', firingAlert(at), bobsKey);

  const { json: keys } = await program.call('GET', '/api/v2/keys', undefined, bobsKey);
  const [scripts] = (keys as { data: { id: string; name: string }[] }).data;
  const { key } = await create<{ id: string; key: string }>(program, `/keys/${scripts?.id}/rotate`, {}, bobsKey);
  expect((await program.call('GET', '/api/v2/alerts', undefined, bobsKey)).status).toBe(401);
  const { json: members } = await program.call('GET', '/api/v2/team/members');
  const bob = (members as { data: { id: string; email: string }[] }).data.find(({ email }) => email.startsWith('bob'));
  expect((await program.call('DELETE', `/api/v2/team/member/${bob?.id}`)).status).toBe(200);
  expect((await program.call('GET', '/api/v2/alerts', undefined, key)).status).toBe(401);

  await expect.poll(notified).toEqual([alert.id]);
  const { status, json } = await program.call('GET', `/api/v2/alerts/${alert.id}`);
  expect([status, json]).toMatchObject([200, { data: { state: 'ALERT', executionErrors: [] } }]);
});

it('U-10: the alert of a removed tile is gone and sends nothing, that of the other tile keeps running', async () => {
  const { id: dashboardId, tiles } = await createEmptyCounts(program, 2);
  const [kept, removed] = tiles;
  const firesAtMs = Date.now() + 8_000;
  const [first, second] = [
    await create(program, '/alerts', firingAlert({ dashboardId, tileId: kept?.id, webhookId, firesAtMs })),
    await create(program, '/alerts', firingAlert({ dashboardId, tileId: removed?.id, webhookId, firesAtMs })),
  ];
  expect((await program.call('PUT', `/api/v2/dashboards/${dashboardId}`, { tiles: [kept] })).status).toBe(200);
  expect((await program.call('GET', `/api/v2/alerts/${second.id}`)).status).toBe(404);

  await expect.poll(notified).toContain(first.id);
  expect((await program.call('DELETE', `/api/v2/dashboards/${dashboardId}`)).status).toBe(200);
  expect((await program.call('GET', `/api/v2/alerts/${first.id}`)).status).toBe(404);
  expect(notified()).not.toContain(second.id);
});
