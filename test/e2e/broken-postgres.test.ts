import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FaultyProxy, type ProxyFault } from '../support/faulty-proxy.ts';
import { type OwnedDatabase, startPostgres, type TestPostgres } from '../support/start-postgres.ts';
import { ingestionKey, type RunningProgram, startProgram } from '../support/start-program.ts';

let server: TestPostgres;
let database: OwnedDatabase;
let proxy: FaultyProxy;
let program: RunningProgram;

beforeAll(async () => {
  server = await startPostgres();
  database = await server.createOwnedDatabase();
  const url = new URL(database.url);
  proxy = new FaultyProxy({ host: url.hostname, port: Number(url.port) });
  await proxy.listen();
  url.port = String(proxy.port);
  program = await startProgram({
    env: { SIGNALBOX_POSTGRES_URL: url.href, SIGNALBOX_SECRET_KEY: 'a secret key for tests' },
  });
});
afterAll(async () => {
  await program?.stop();
  await proxy?.close();
  await server?.stop();
});

const ready = async () => {
  const answer = await fetch(`${program.addresses.api}/ready`);
  return { status: answer.status, body: (await answer.json()) as { parts: object; reasons?: object } };
};

async function sendLog(): Promise<{ status: number; retryAfter: string | null }> {
  const body = JSON.stringify({
    resourceLogs: [
      { scopeLogs: [{ logRecords: [{ timeUnixNano: `${Date.now()}000000`, body: { stringValue: 'x' } }] }] },
    ],
  });
  const headers = { authorization: ingestionKey, 'content-type': 'application/json' };
  const answer = await fetch(`${program.addresses.otlpHttp}/v1/logs`, { method: 'POST', headers, body });
  await answer.arrayBuffer();
  return { status: answer.status, retryAfter: answer.headers.get('retry-after') };
}

const everything = () => [
  program.call('GET', '/api/v2/dashboards'),
  program.call('POST', '/api/v2/dashboards', { name: 'x', tiles: [] }),
  program.call('GET', '/api/v2/alerts'),
  program.call('GET', '/api/v2/sources'),
];

async function expectAllIsWell(): Promise<void> {
  await expect.poll(async () => (await ready()).status).toBe(200);
  await expect
    .poll(async () => (await Promise.all(everything())).map(({ status }) => status))
    .toEqual([200, 200, 200, 200]);
  await expect.poll(async () => (await sendLog()).status).toBe(200);
}

/** How PostgreSQL is broken until `mend` is called. */
const faults: Record<string, { breakIt: () => Promise<void>; mend: () => Promise<void> }> = {
  frozen: { breakIt: () => proxy.set('frozen'), mend: () => proxy.set('none') },
  refused: { breakIt: () => proxy.set('refused'), mend: () => proxy.set('none') },
  'password changed': {
    breakIt: async () => {
      await database.setPassword('another');
      await proxy.set('reset');
    },
    mend: async () => {
      await database.setPassword(new URL(database.url).password);
      await proxy.set('none');
    },
  },
};

describe('the program over a PostgreSQL that fails', () => {
  it.each(Object.entries(faults))(
    '%s: callers get 503 with a sentence, readiness names the part, and all is well afterwards',
    async (_, { breakIt, mend }) => {
      await expectAllIsWell();
      await breakIt();
      await expect.poll(async () => (await ready()).status).toBe(503);
      const { body } = await ready();
      expect(body.parts).toEqual({ metadata: 'unavailable', telemetry: 'ready' });
      expect(JSON.stringify(body.reasons)).toMatch(/metadata store|does not answer/);
      for (const { status, json, headers } of await Promise.all(everything())) {
        expect(status).toBe(503);
        expect((json as { message: string }).message).toMatch(/^The metadata store .* Try again in a moment\.$/);
        expect(headers.get('retry-after')).toMatch(/^\d+$/);
      }
      expect(await sendLog()).toEqual({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) });
      expect((await fetch(`${program.addresses.api}/health`)).status).toBe(200);
      await mend();
      await expectAllIsWell();
    },
  );

  it.each<ProxyFault>(['reset', 'half-open', 'slow'])(
    '%s under load: every caller is answered, and it lives',
    async (fault) => {
      for (let round = 0; round < 6; round++) {
        const load = Promise.all([...everything(), ...everything(), ...everything()]);
        await proxy.set(fault);
        for (const { status } of await load) expect([200, 503]).toContain(status);
        await proxy.set('none');
      }
      await expectAllIsWell();
    },
  );
});
