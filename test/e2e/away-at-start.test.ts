import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FaultyProxy, type ProxyFault } from '../support/faulty-proxy.ts';
import { openEngine, type TestEngine } from '../support/start-engine.ts';
import { startPostgres, type TestPostgres } from '../support/start-postgres.ts';
import {
  ingestionKey,
  type LaunchedProgram,
  launchProgram,
  type ProgramAddresses,
  personalKey,
} from '../support/start-program.ts';

const secretKey = 'a secret key for tests';
let postgres: TestPostgres;
let engine: TestEngine;
beforeAll(async () => {
  [postgres, engine] = await Promise.all([startPostgres(), openEngine()]);
});
afterAll(() => postgres?.stop());

const toEnd: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of toEnd.splice(0).reverse()) await end();
});

/** A proxy in front of `url` that is broken from the start. */
async function brokenProxy(url: URL, fault: ProxyFault): Promise<FaultyProxy> {
  const proxy = new FaultyProxy({ host: url.hostname, port: Number(url.port) });
  await proxy.listen();
  await proxy.set(fault);
  url.port = String(proxy.port);
  toEnd.push(() => proxy.close());
  return proxy;
}

function launch(env: Record<string, string>): LaunchedProgram {
  const dataDir = mkdtempSync(join(tmpdir(), 'signalbox-e2e-'));
  const launched = launchProgram({ dataDir, env: { SIGNALBOX_SECRET_KEY: secretKey, ...env } });
  toEnd.push(async () => {
    launched.child.kill('SIGTERM');
    await launched.exited;
    rmSync(dataDir, { recursive: true, force: true });
  });
  return launched;
}

interface Line {
  level: string;
  msg: string;
  part?: string;
  reason?: string;
  addresses?: ProgramAddresses;
}

const linesOf = ({ output }: LaunchedProgram): Line[] =>
  output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

async function lineOf(launched: LaunchedProgram, message: string): Promise<Line> {
  const found = () => linesOf(launched).find(({ msg }) => msg.includes(message));
  await expect.poll(found).toBeDefined();
  return found() ?? expect.unreachable();
}

async function ask(url: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${personalKey}`, 'content-type': 'application/json' };
  const answer = await fetch(url, { headers, ...init });
  return {
    status: answer.status,
    json: (await answer.json()) as unknown,
    retryAfter: answer.headers.get('retry-after'),
  };
}

async function postgresUrl(): Promise<URL> {
  return new URL((await postgres.createOwnedDatabase()).url);
}

describe('a PostgreSQL that is not there when the program starts', () => {
  // The first connection asks whether the server is there; the second one brings its schema up to date.
  it.each<ProxyFault>(['refused', 'frozen', 'second-refused'])(
    '%s: the program waits, says so once, answers 503, and starts when it comes',
    async (fault) => {
      const url = await postgresUrl();
      const proxy = await brokenProxy(url, fault);
      const launched = launch({ SIGNALBOX_POSTGRES_URL: url.href });
      const { addresses } = await lineOf(launched, 'waiting for it');
      const { api = '', web = '' } = addresses ?? {};
      expect((await ask(`${api}/health`)).status).toBe(200);
      expect(await ask(`${api}/ready`)).toMatchObject({
        status: 503,
        json: { status: 'unavailable', parts: { metadata: 'unavailable' } },
      });
      for (const origin of [api, web]) {
        for (const method of ['GET', 'POST']) {
          expect(
            await ask(`${origin}/api/v2/dashboards`, { method, ...(method === 'POST' && { body: '{}' }) }),
          ).toEqual({
            status: 503,
            json: { message: 'The metadata store cannot be reached. Try again in a moment.' },
            retryAfter: expect.stringMatching(/^\d+$/),
          });
        }
      }
      await proxy.set('none');
      const ready = await launched.ready;
      expect((await ask(`${ready.api}/api/v2/dashboards`)).status).toBe(200);
      expect((await ask(`${ready.api}/ready`)).status).toBe(200);
      expect(linesOf(launched).filter(({ msg }) => msg.includes('waiting for it'))).toHaveLength(1);
    },
  );

  it('SIGTERM ends the wait with exit code 0', async () => {
    const url = await postgresUrl();
    await brokenProxy(url, 'refused');
    const launched = launch({ SIGNALBOX_POSTGRES_URL: url.href });
    await lineOf(launched, 'waiting for it');
    launched.child.kill('SIGTERM');
    expect(await launched.exited, launched.output()).toEqual({ code: 0, signal: null });
  });

  it.each([
    ['another password', (url: URL) => Object.assign(url, { password: 'hunter2' })],
    ['a database that does not exist', (url: URL) => Object.assign(url, { pathname: '/hunter2' })],
  ])('%s stops the start with a sentence that names the setting', async (_, change) => {
    const { code, sentence } = await failedStart({ SIGNALBOX_POSTGRES_URL: change(await postgresUrl()).href });
    expect([code, sentence]).toEqual([2, expect.stringMatching(/SIGNALBOX_POSTGRES_URL.*refuses the connection/)]);
    expect(sentence).not.toContain('hunter2');
  });
});

describe('a ClickHouse that is not there when the program starts', () => {
  it.each<ProxyFault>(['refused', 'frozen'])(
    '%s: everything but telemetry works, the log says it once, and telemetry comes back',
    async (fault) => {
      const url = clickhouseUrl();
      const proxy = await brokenProxy(url, fault);
      const launched = launch({ SIGNALBOX_CLICKHOUSE_URL: url.href });
      const { api, otlpHttp } = await launched.ready;
      expect(await lineOf(launched, 'is unavailable')).toMatchObject({ level: 'warn', part: 'telemetry' });
      expect((await ask(`${api}/ready`)).json).toMatchObject({
        parts: { metadata: 'ready', telemetry: 'unavailable' },
      });
      const dashboard = { method: 'POST', body: JSON.stringify({ name: 'x', tiles: [] }) };
      expect((await ask(`${api}/api/v2/dashboards`, dashboard)).status).toBe(200);
      const sendLog = async () => {
        const log = { timeUnixNano: `${Date.now()}000000`, body: { stringValue: 'x' } };
        const body = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [log] }] }] });
        const headers = { authorization: ingestionKey, 'content-type': 'application/json' };
        return (await ask(`${otlpHttp}/v1/logs`, { method: 'POST', headers, body })).status;
      };
      await proxy.set('none');
      await expect.poll(async () => (await ask(`${api}/ready`)).status).toBe(200);
      await expect.poll(sendLog).toBe(200);
      await lineOf(launched, 'available again');
      expect(linesOf(launched).filter(({ msg }) => msg.includes('is unavailable'))).toHaveLength(1);
    },
  );

  it('another password stops the start with a sentence that names the setting', async () => {
    const url = Object.assign(clickhouseUrl(), { password: 'hunter2' });
    const { code, sentence } = await failedStart({ SIGNALBOX_CLICKHOUSE_URL: url.href });
    expect([code, sentence]).toEqual([2, expect.stringMatching(/^SIGNALBOX_CLICKHOUSE_URL: the server rejects/)]);
  });
});

function clickhouseUrl(): URL {
  const { url, user, secret } = engine.endpoint();
  return Object.assign(new URL(url), { username: user, password: secret });
}

async function failedStart(env: Record<string, string>): Promise<{ code: number | null; sentence: string }> {
  const launched = launch(env);
  const { code } = await launched.exited;
  return { code, sentence: linesOf(launched).at(-1)?.msg ?? '' };
}
