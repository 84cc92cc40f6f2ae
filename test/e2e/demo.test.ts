import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningDemo, runDemo } from '../support/run-demo.ts';

let demo: RunningDemo;

beforeAll(async () => {
  demo = await runDemo();
});

afterAll(() => demo.interrupt());

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(demo.api + path, {
    method,
    headers: { authorization: `Bearer ${demo.key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return (JSON.parse(text) as { data: T }).data;
}

interface ShopTile {
  id: string;
  name: string;
}

interface TileAnswer {
  ref: string;
  displayType?: string;
  error?: object;
  content?: string;
  rows?: unknown[];
  series?: { points: [number, number | null][] }[];
}

const lastHour = () => ({ startTime: Date.now() - 3_600_000, endTime: Date.now() });

it('every tile of the dashboard "Shop" shows data of the whole last hour', async () => {
  const [shop] = await call<{ name: string; tiles: ShopTile[] }[]>('GET', '/dashboards');
  expect(shop?.name).toBe('Shop');
  expect(shop?.tiles.length).toBeGreaterThanOrEqual(8);
  const tiles = shop?.tiles.map((tile) => ({ ref: tile.name, tile }));
  const answers = await call<TileAnswer[]>('POST', '/charts/tiles', { ...lastHour(), granularity: '5m', tiles });
  expect(answers.map(({ ref, error }) => ({ ref, error })).filter(({ error }) => error)).toEqual([]);
  const amounts = answers.map(({ ref, content, rows, series }) => ({
    ref,
    amount: content?.length ?? rows?.length ?? series?.flatMap(({ points }) => points).length ?? 0,
  }));
  expect(amounts.filter(({ amount }) => amount === 0)).toEqual([]);
  const times = answers.find(({ ref }) => ref === 'Requests by route')?.series?.flatMap(({ points }) => points);
  const filled = new Set(times?.filter(([, value]) => value !== null && value > 0).map(([ms]) => ms));
  expect(filled.size).toBeGreaterThanOrEqual(12);
});

it('its alert is an hour old, has caught up on that hour, fires, and reaches the receiver', async () => {
  const alert = async () => (await call<{ id: string; state: string; createdAt: string }[]>('GET', '/alerts'))[0];
  const { id, createdAt } = (await alert()) ?? {};
  expect(Date.parse(createdAt ?? '')).toBeLessThan(Date.now() - 3_600_000);
  const states = async () =>
    (await call<{ state: string }[]>('GET', `/alerts/${id}/history`)).map(({ state }) => state);
  await expect.poll(async () => (await states()).length, { interval: 500 }).toBeGreaterThanOrEqual(12);
  expect(new Set(await states())).toEqual(new Set(['ALERT', 'OK']));
  expect((await alert())?.state).toBe('ALERT');
  const notified = () =>
    [...demo.output().matchAll(/Received: .* Payments are failing \((firing|resolved)/g)].map(([, change]) => change);
  // One notification for each change of state, in the order of the windows; the queue may still be on its way there.
  const changes = (await states())
    .reverse()
    .filter((state, at, all) => state !== (all[at - 1] ?? 'OK'))
    .map((state) => (state === 'ALERT' ? 'firing' : 'resolved'));
  await expect.poll(notified, { interval: 500 }).toEqual(changes);
  expect(changes.length).toBeGreaterThanOrEqual(3);
  expect(changes.at(-1)).toBe('firing');
});

it('traces run through several services and name the failure', async () => {
  const [source] = (await call<{ id: string; kind: string }[]>('GET', '/sources')).filter(
    ({ kind }) => kind === 'trace',
  );
  const { startTime, endTime } = lastHour();
  const range = { startTime: new Date(startTime).toISOString(), endTime: new Date(endTime).toISOString() };
  const search = async (where: string) =>
    call<Record<string, unknown>[]>('POST', '/search', {
      ...range,
      sourceId: source?.id,
      select: 'TraceId, ServiceName',
      where,
    });
  const [failed] = await search('ServiceName:"payment" StatusCode:Error');
  const spans = await search(`TraceId:"${failed?.TraceId}"`);
  expect(new Set(spans.map(({ ServiceName }) => ServiceName))).toEqual(new Set(['web', 'cart', 'checkout', 'payment']));
});

it('the printed curl lines answer, and the printed log-in opens the pages', async () => {
  const lines = demo.output().match(/^ {4}curl .*$/gm) ?? [];
  expect(lines).toHaveLength(3);
  for (const line of lines) {
    const status = execFileSync('sh', ['-c', `${line} -o /dev/null -w '%{http_code}'`]).toString();
    expect(status, line).toBe('200');
  }
  const { email, password } = demo;
  const session = await fetch(`${demo.web}/api/v2/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ email, password }),
  });
  expect(session.status).toBe(200);
});

it('Ctrl-C removes the folder', async () => {
  expect(existsSync(demo.folder)).toBe(true);
  expect(await demo.interrupt()).toBe(0);
  expect(existsSync(demo.folder)).toBe(false);
});
