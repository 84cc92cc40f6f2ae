import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { personalKey, type RunningProgram, startProgram } from '../support/start-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-front-'));
let api: RunningProgram;
let front: RunningProgram;

beforeAll(async () => {
  api = await startProgram({ env: { SIGNALBOX_ROLES: 'api' } });
  front = await startProgram({
    dataDir: folder,
    provisioning: null,
    env: { SIGNALBOX_ROLES: 'web', SIGNALBOX_API_URL: api.addresses.api, SIGNALBOX_OPS_PORT: '0' },
  });
});

afterAll(async () => {
  await Promise.all([api.stop(), front.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

function viaFront(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(front.addresses.web + path, {
    ...init,
    headers: { authorization: `Bearer ${personalKey}`, ...init.headers },
  });
}

describe('the web role with the API elsewhere (SIGNALBOX_API_URL)', () => {
  it('listens on its own port only, and needs no store: nothing appears in its data folder', () => {
    expect(Object.keys(front.addresses).sort()).toEqual(['ops', 'web']);
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
  });

  it('serves the pages itself and everything else from the API, bodies and statuses as they are', async () => {
    expect(await (await viaFront('/')).text()).toContain('Signalbox');
    const created = await viaFront('/api/v2/dashboards', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Through the front', tiles: [] }),
    });
    expect(created.status).toBe(200);
    expect(created.headers.get('etag')).toBeTruthy();
    const { json } = await api.call('GET', '/api/v2/dashboards');
    expect(json).toMatchObject({ data: [{ name: 'Through the front' }] });
    expect((await viaFront('/api/v2/nothing')).status).toBe(404);
    expect((await fetch(`${front.addresses.web}/api/v2/dashboards`)).status).toBe(401);
  });

  it('is ready while the API is, and says 502 when the API has gone', async () => {
    expect((await fetch(`${front.addresses.ops}/ready`)).status).toBe(200);
    await api.kill('SIGKILL');
    expect((await fetch(`${front.addresses.ops}/ready`)).status).toBe(503);
    expect((await viaFront('/api/v2/dashboards')).status).toBe(502);
  });
});
