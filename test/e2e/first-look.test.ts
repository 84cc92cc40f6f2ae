import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningProgram, startProgram } from '../support/start-program.ts';

let program: RunningProgram;
let key: string;

beforeAll(async () => {
  program = await startProgram({ provisioning: null, env: { SIGNALBOX_SELF_TELEMETRY: '1' } });
  key = (JSON.parse(readFileSync(join(program.dataDir, 'first-keys.json'), 'utf8')) as { personalApiKey: string })
    .personalApiKey;
});

afterAll(() => program.stop());

interface StarterDashboard {
  name: string;
  tiles: { name: string; series: object[] }[];
}

async function starterDashboard(): Promise<StarterDashboard | undefined> {
  const { json } = await program.call('GET', '/api/v2/dashboards', undefined, key);
  return (json as { data: StarterDashboard[] }).data[0];
}

it('a new user immediately sees real data: the starter dashboard shows the program itself', async () => {
  const dashboard = await starterDashboard();
  expect(dashboard?.name).toBe('Signalbox');
  // Nothing warns, and no alert has been evaluated yet.
  const quiet = ['Warnings and errors', 'Lag of evaluations, p95'];
  for (const tile of dashboard?.tiles.filter(({ name }) => !quiet.includes(name)) ?? []) {
    const rows = async () => {
      const range = { startTime: Date.now() - 600_000, endTime: Date.now() + 60_000, granularity: '1m' };
      const { json } = await program.call('POST', '/api/v2/charts/series', { ...range, series: tile.series }, key);
      return (json as { data?: unknown[] }).data?.length;
    };
    await expect.poll(rows, { interval: 500, message: tile.name }).toBeGreaterThan(0);
  }
});

it('the web port greets a browser and serves the API under the same origin', async () => {
  const { web } = program.addresses;
  const page = await fetch(`${web}/`);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(await page.text()).toContain('Signalbox');
  expect((await fetch(`${web}/api/v2/dashboards`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
  expect((await fetch(`${web}/assets/nothing-here.js`)).status).toBe(404);
  expect((await fetch(`${web}/api/v2/nothing-here`)).status).toBe(404);
});

it('a store of before gets the sources once, and keeps them away when they are removed', async () => {
  const own = async (running: RunningProgram): Promise<string[]> => {
    const { json } = await running.call('GET', '/api/v2/sources');
    const { data } = json as { data: { id: string; name: string }[] };
    return data.filter(({ name }) => name.startsWith('Signalbox ')).map(({ id }) => id);
  };
  const before = await startProgram();
  const { dataDir } = before;
  expect(await own(before)).toEqual([]);
  await before.kill('SIGTERM');

  const env = { SIGNALBOX_SELF_TELEMETRY: '1' };
  const after = await startProgram({ dataDir, env });
  const ids = await own(after);
  expect(ids).toHaveLength(3);
  const rows = async () => {
    const { json } = await after.call('POST', '/api/v2/search', { sourceId: ids[1], where: '' });
    return (json as { rows?: number }).rows;
  };
  await expect.poll(rows, { timeout: 40_000, interval: 500 }).toBeGreaterThan(0);
  for (const id of ids) expect((await after.call('DELETE', `/api/v2/sources/${id}?force=true`)).status).toBe(200);
  await after.kill('SIGTERM');

  const again = await startProgram({ dataDir, env });
  expect(await own(again)).toEqual([]);
  await again.stop();
}, 120_000);

it('the program’s own first keys appear in no log line', () => {
  expect(program.output()).not.toContain(key);
});
