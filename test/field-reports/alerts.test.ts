import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { create, createEmptyCounts, endWindowSoon, firingAlert } from '../support/firing-alert.ts';
import { ScriptedReceiver } from '../support/scripted-receiver.ts';
import { type RunningProgram, startProgram } from '../support/start-program.ts';
import { FieldWorld, logsOf, minuteMs, nano, t0 } from './field-world.ts';

const receiver = new ScriptedReceiver();
let world: FieldWorld;
let webhookId: string;

beforeAll(async () => {
  const url = await receiver.start();
  world = new FieldWorld(await startProgram({ env: { SIGNALBOX_ALERT_DELAY_MS: '0' } }));
  webhookId = (await create(world.program, '/webhooks', { name: 'ops', service: 'generic', url })).id;
});
afterAll(async () => {
  await world?.program.stop();
  await receiver.stop();
});

/** So many logs of a service in each of the minutes after t0. */
async function sendCounts(service: string, perMinute: readonly number[], pod = 'p') {
  const records = perMinute.flatMap((count, minute) =>
    Array.from({ length: count }, (_, index) => ({
      timeUnixNano: nano(minute * 60 + index),
      body: { stringValue: 'request' },
      attributes: [{ key: 'pod', value: { stringValue: pod } }],
    })),
  );
  await world.send('logs', logsOf(service, records));
}

interface Shape {
  type?: string;
  groupBy?: string[];
  where?: string;
}

/** A dashboard with one tile that counts. */
async function countTile({ type = 'time', groupBy = [], where = '' }: Shape) {
  const sourceId = await world.sourceId('log');
  const tiles = [{ name: 'Requests', series: [{ type, sourceId, aggFn: 'count', where, groupBy }] }];
  const { id, tiles: stored } = await create<{ id: string; tiles: { id: string }[] }>(world.program, '/dashboards', {
    ...{ name: 'Field', tiles },
  });
  return { dashboardId: id, tileId: stored[0]?.id };
}

const rule = (at: object) => ({
  ...{ threshold: 5, thresholdType: 'above', interval: '1m', channel: { type: 'webhook', webhookId } },
  ...at,
});

interface Preview {
  windows: { start: number; end: number; value: number | null; state: string }[];
  firings: { startedAt: number; endedAt: number | null; value: number; group?: { value: string }[] }[];
  notifications: number;
}

async function preview(alert: object, over = { startTime: t0, endTime: t0 + 10 * minuteMs }): Promise<Preview> {
  const { status, json } = await world.program.call('POST', '/api/v2/alerts/preview', { alert, ...over });
  expect(status, JSON.stringify(json)).toBe(200);
  return (json as { data: Preview }).data;
}

const minutes = (ms: number | null) => (ms === null ? null : (ms - t0) / minuteMs);

describe('what fires and when it ends', () => {
  it('alertmanager#1063: each time it starts again is notified, also right after an end', async () => {
    await sendCounts('flapping', [9, 0, 9, 0, 9, 0, 9, 0, 0, 0]);
    const { firings, notifications } = await preview(rule(await countTile({ where: 'ServiceName:flapping' })));
    expect(firings.map(({ startedAt, endedAt }) => [minutes(startedAt), minutes(endedAt)])).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
      [7, 8],
    ]);
    expect(notifications).toBe(8);
  });

  it('alertmanager#1403, #1399: of several groups that fire, each one is resolved when it is over', async () => {
    await sendCounts('groups', [0, 9, 9, 0, 0, 0, 0, 0, 0, 0], 'a');
    await sendCounts('groups', [0, 9, 9, 9, 9, 9, 9, 9, 0, 0], 'b');
    const grouped = await countTile({ where: 'ServiceName:groups', groupBy: ['LogAttributes.pod'] });
    const { firings, notifications } = await preview(rule(grouped));
    const seen = firings.map(({ group, startedAt, endedAt }) => [
      group?.[0]?.value,
      minutes(startedAt),
      minutes(endedAt),
    ]);
    expect(seen.toSorted()).toEqual([
      ['a', 2, 4],
      ['b', 2, 9],
    ]);
    expect(notifications).toBe(4);
  });

  it('posthog#48701: nothing found is the number 0, not an error', async () => {
    const nothing = await countTile({ where: 'ServiceName:never-was' });
    const { windows, firings } = await preview(rule({ ...nothing, thresholdType: 'below', threshold: 1 }));
    expect(new Set(windows.map(({ value, state }) => `${value} ${state}`))).toEqual(new Set(['0 ALERT']));
    expect(firings.map(({ startedAt, endedAt }) => [minutes(startedAt), endedAt])).toEqual([[1, null]]);
  });

  it('posthog#52846: the window that is not over yet is not evaluated', async () => {
    const nothing = await countTile({ where: 'ServiceName:never-was' });
    const now = Date.now();
    const { windows } = await preview(rule(nothing), { startTime: now - 5 * minuteMs, endTime: now });
    expect(windows.length).toBeGreaterThan(0);
    for (const { start, end } of windows) expect([end - start, end <= now]).toEqual([minuteMs, true]);
  });

  it('hyperdx#1361, posthog#26357: a number can be watched, and what is evaluated is what the tile shows', async () => {
    await sendCounts('number', [1, 7, 3, 12, 0, 2, 5, 5, 0, 8]);
    const at = await countTile({ type: 'number', where: 'ServiceName:number' });
    const { windows } = await preview(rule(at));
    const shown = await Promise.all(
      windows.map(async ({ start, end }) => {
        const { json } = await world.program.call('POST', '/api/v2/charts/tiles', {
          ...{ startTime: start, endTime: end },
          tiles: [
            {
              ref: 'n',
              tile: {
                series: [
                  {
                    type: 'number',
                    sourceId: await world.sourceId('log'),
                    aggFn: 'count',
                    where: 'ServiceName:number',
                  },
                ],
              },
            },
          ],
        });
        return (json as { data: { rows: number[][] }[] }).data[0]?.rows[0]?.[0] ?? 0;
      }),
    );
    expect(windows.map(({ value }) => value)).toEqual([1, 7, 3, 12, 0, 2, 5, 5, 0, 8]);
    expect(shown).toEqual([1, 7, 3, 12, 0, 2, 5, 5, 0, 8]);
    await create(world.program, '/alerts', rule(at));
  });
});

/** The messages about one alert, oldest first. */
const messagesOf = (alertId: string) =>
  receiver.received.map(({ body }) => JSON.parse(body)).filter(({ alert }) => alert.id === alertId);

describe('messages', () => {
  it('hyperdx#2670: a message names the group that fired, by name and value', async () => {
    const grouped = await countTile({ where: 'ServiceName:named', groupBy: ['LogAttributes.pod'] });
    const firesAtMs = Date.now() + 6_000;
    const scheduleStartAt = new Date(firesAtMs - minuteMs).toISOString();
    const alert = await create(world.program, '/alerts', rule({ ...grouped, scheduleStartAt, threshold: 1 }));
    const now = `${BigInt(Date.now()) * 1_000_000n}`;
    const attributes = [{ key: 'pod', value: { stringValue: 'checkout-7' } }];
    await world.send('logs', logsOf('named', [{ timeUnixNano: now, attributes }]));
    await expect.poll(() => messagesOf(alert.id)).toHaveLength(1);
    const [message] = messagesOf(alert.id);
    expect(Object.values(message.group)).toEqual(['checkout-7']);
    expect(message).toMatchObject({ value: 1, threshold: 1, tile: { name: 'Requests' } });
    expect(message.body).toContain('checkout-7');
  });

  it('signoz#12891, alertmanager#2111: a receiver that answers 429 with Retry-After gets its retry then, and not before', async () => {
    const { id: dashboardId, tiles } = await createEmptyCounts(world.program);
    const limited = new ScriptedReceiver([{ status: 429, headers: { 'retry-after': '4' } }]);
    const url = await limited.start();
    const hook = await create(world.program, '/webhooks', { name: 'limited', service: 'generic', url });
    const at = { dashboardId, tileId: tiles[0]?.id, webhookId: hook.id, firesAtMs: Date.now() + 1_000 };
    const alert = await create(world.program, '/alerts', firingAlert(at));
    const attempts = async () => {
      const { json } = await world.program.call('GET', `/api/v2/alerts/${alert.id}/deliveries`);
      return (json as { data: { status: number; at: string }[] }).data.toReversed();
    };
    const statuses = async () => (await attempts()).map(({ status }) => status);
    await expect.poll(statuses).toEqual([429, 200]);
    const [refused = 0, taken = 0] = (await attempts()).map(({ at: instant }) => Date.parse(instant));
    expect(taken - refused).toBeGreaterThanOrEqual(3_900);
    await limited.stop();
  });
});

describe('restarts', () => {
  const provisioned = (url: string) => ({
    teams: [
      {
        name: 'Acme',
        users: [
          { email: 'ada@example.com', apiKeys: [{ name: 'ci', key: '0123456789abcdef0123456789abcdef01234567' }] },
        ],
        webhooks: [{ name: 'ops', service: 'generic', url }],
        dashboards: [{ name: 'Provisioned', tiles: [] }],
      },
    ],
  });

  it('grafana#61917, grafana#93200, mimir#3814: provisioning the same again, and restarting, resets no state and repeats no notification', async () => {
    const own = new ScriptedReceiver();
    const options = { provisioning: provisioned(await own.start()), env: { SIGNALBOX_ALERT_DELAY_MS: '0' } };
    let program: RunningProgram = await startProgram(options);
    const { dataDir } = program;
    const [hook] = ((await program.call('GET', '/api/v2/webhooks')).json as { data: { id: string }[] }).data;
    const { id: dashboardId, tiles } = await createEmptyCounts(program);
    const at = { dashboardId, tileId: tiles[0]?.id, webhookId: hook?.id ?? '', firesAtMs: Date.now() + 1_500 };
    const alert = await create(program, '/alerts', firingAlert(at));
    await expect.poll(() => own.received.length).toBe(1);
    await program.kill('SIGTERM');
    program = await startProgram({ ...options, dataDir });
    // The next window is evaluated by the new process.
    await endWindowSoon(async (window) => {
      const moved = { ...firingAlert(at), ...window };
      expect((await program.call('PUT', `/api/v2/alerts/${alert.id}`, moved)).status).toBe(200);
    });
    const evaluated = async () => {
      const { json } = await program.call('GET', `/api/v2/alerts/${alert.id}/history`);
      return (json as { data: unknown[] }).data.length;
    };
    await expect.poll(evaluated).toBeGreaterThanOrEqual(2);
    const { json } = await program.call('GET', `/api/v2/alerts/${alert.id}`);
    expect((json as { data: { state: string } }).data.state).toBe('ALERT');
    expect(own.received).toHaveLength(1);
    await program.stop();
    await own.stop();
  });

  it('prometheus#17008: a window that ended while the evaluator was down is evaluated when it is up again', async () => {
    const own = new ScriptedReceiver();
    const options = { provisioning: provisioned(await own.start()), env: { SIGNALBOX_ALERT_DELAY_MS: '0' } };
    let program = await startProgram(options);
    const [hook] = ((await program.call('GET', '/api/v2/webhooks')).json as { data: { id: string }[] }).data;
    const { id: dashboardId, tiles } = await createEmptyCounts(program);
    const firesAtMs = Date.now() + 4_000;
    const at = { dashboardId, tileId: tiles[0]?.id, webhookId: hook?.id ?? '', firesAtMs };
    await create(program, '/alerts', firingAlert(at));
    await program.kill('SIGKILL');
    await expect.poll(() => Date.now() > firesAtMs).toBe(true);
    expect(own.received).toHaveLength(0);
    program = await startProgram({ ...options, dataDir: program.dataDir });
    await expect.poll(() => own.received.length).toBe(1);
    expect(JSON.parse(own.received[0]?.body ?? '{}').endTime).toBe(firesAtMs);
    await program.stop();
    await own.stop();
  });
});
