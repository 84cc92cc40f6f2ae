import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { personalKey, type RunningProgram, startProgram } from '../support/start-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-front-'));
/** The web role proves with it that a cookie came to a web port. */
const secretKey = 'the same secret key for both';
let api: RunningProgram;
let front: RunningProgram;

beforeAll(async () => {
  api = await startProgram({ env: { SIGNALBOX_ROLES: 'api', SIGNALBOX_SECRET_KEY: secretKey } });
  front = await startProgram({
    dataDir: folder,
    provisioning: null,
    env: {
      SIGNALBOX_ROLES: 'web',
      SIGNALBOX_API_URL: api.addresses.api,
      SIGNALBOX_OPS_PORT: '0',
      SIGNALBOX_SECRET_KEY: secretKey,
    },
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

  it('passes bodies in chunks and behind an Expect: 100-continue, and rejections before their end', async () => {
    const { hostname, port } = new URL(front.addresses.web);
    const send = (headers: Record<string, string>, chunks: readonly string[]) =>
      new Promise<number | undefined>((resolve, reject) => {
        const path = '/api/v2/dashboards';
        const authorization = `Bearer ${personalKey}`;
        const common = { 'content-type': 'application/json', authorization, ...headers };
        const sent = request({ hostname, port, path, method: 'POST', headers: common }, (answer) => {
          answer.resume().once('end', () => resolve(answer.statusCode));
        });
        sent.once('error', reject);
        const go = () => {
          for (const chunk of chunks) sent.write(chunk);
          sent.end();
        };
        if (headers.expect) sent.once('continue', go);
        else go();
      });
    const body = ['{"name":', '"In chunks"}'];
    const length = String(body.join('').length);
    expect(await send({ 'transfer-encoding': 'chunked' }, body)).toBe(200);
    expect(await send({ expect: '100-continue', 'content-length': length }, body)).toBe(200);
    expect(await send({ authorization: 'Bearer wrong', 'transfer-encoding': 'chunked' }, body)).toBe(401);
  });

  it('lets people in with a cookie, which the API itself does not (decisions K3)', async () => {
    const logIn = (base: string) =>
      fetch(`${base}/api/v2/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: base },
        body: JSON.stringify({ email: 'ada@example.com', password: 'correct-horse-battery' }),
      });
    expect((await logIn(api.addresses.api)).status).toBe(404);
    const loggedIn = await logIn(front.addresses.web);
    expect(loggedIn.status).toBe(200);
    const cookie = loggedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const ask = (base: string, method: string, path: string, origin: string) =>
      fetch(`${base}/api/v2${path}`, { method, headers: { cookie, origin } });
    const { web } = front.addresses;
    expect((await ask(web, 'GET', '/dashboards', web)).status).toBe(200);
    expect((await ask(api.addresses.api, 'GET', '/dashboards', web)).status).toBe(401);
    expect((await ask(web, 'DELETE', '/session', 'http://evil.example')).status).toBe(403);
    expect((await ask(web, 'DELETE', '/session', web)).status).toBe(200);
    expect((await ask(web, 'GET', '/dashboards', web)).status).toBe(401);
    expect(api.output() + front.output()).not.toContain(cookie.split('=')[1]);
  });

  it('is ready while the API is, and says 502 when the API has gone', async () => {
    expect((await fetch(`${front.addresses.ops}/ready`)).status).toBe(200);
    await api.kill('SIGKILL');
    // An answer of /ready holds for a second.
    await expect.poll(async () => (await fetch(`${front.addresses.ops}/ready`)).status).toBe(503);
    const answer = await viaFront('/api/v2/dashboards');
    expect([answer.status, await answer.json()]).toEqual([502, { message: expect.stringContaining('API') }]);
  });
});
