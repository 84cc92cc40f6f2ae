import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SecretBox } from '../../access/secret-box.ts';
import { loadConfig } from '../../config/config.ts';
import { systemClock } from '../../kernel/clock.ts';
import { randomIds } from '../../kernel/ids.ts';
import { SsrfGuard } from '../../notify/target-guard.ts';
import { presentProgram } from './ask-program.ts';
import { checkPublicUrl } from './check-addresses.ts';
import { checkClock } from './check-clock.ts';
import { checkDataFolder } from './check-data-folder.ts';
import { checkOpenFileLimit } from './check-open-files.ts';
import { checkPorts } from './check-ports.ts';
import { checkSecretKey } from './check-secret-key.ts';
import { problemsOf } from './check-telemetry.ts';
import { checkWebhookGuard } from './check-webhook-guard.ts';
import type { Finding } from './finding.ts';
import { runDoctor } from './run-doctor.ts';

const levelsOf = (findings: readonly Finding[]) => findings.map(({ level }) => level);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-doctor-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('what is wrong has a level and advice', () => {
  const nowMs = Date.UTC(2026, 0, 31);

  it.each([
    [{ servers: {} }, 'ok'],
    [{ servers: { PostgreSQL: nowMs + 4_000 } }, 'ok'],
    [{ servers: { PostgreSQL: nowMs - 6_000 } }, 'warning'],
    [{ servers: {}, lastChangeMs: nowMs + 3_600_000 }, 'error'],
  ] as const)('clock: %j is %s', (facts, level) => {
    expect(levelsOf(checkClock({ nowMs, ...facts }))).toEqual([level]);
  });

  it.each([
    ['Max open files            256                  256                  files', 'error'],
    ['Max open files            1024                 4096                 files', 'warning'],
    ['Max open files            65536                65536                files', 'ok'],
    ['Max open files            unlimited            unlimited            files', 'ok'],
    ['', 'ok'],
  ])('open files: %j is %s', async (limits, level) => {
    expect(levelsOf(await checkOpenFileLimit(async () => limits))).toEqual([level]);
  });

  it.each([
    [{}, 'ok'],
    [{ SIGNALBOX_HOST: '0.0.0.0' }, 'warning'],
    [{ SIGNALBOX_HOST: '0.0.0.0', SIGNALBOX_PUBLIC_URL: 'http://obs.example.com' }, 'warning'],
    [{ SIGNALBOX_HOST: '0.0.0.0', SIGNALBOX_PUBLIC_URL: 'https://obs.example.com' }, 'ok'],
  ])('public URL: %j is %s', (environment, level) => {
    expect(levelsOf(checkPublicUrl(loadConfig(environment)))).toEqual([level]);
  });

  it.each([
    [[], 'https://hooks.example.com/x', 'ok'],
    [[], 'http://10.0.0.5/x', 'warning'],
    [['10.0.0.0/8'], 'http://10.0.0.5/x', 'ok'],
    [['0.0.0.0/0'], 'http://10.0.0.5/x', 'warning'],
  ])('webhook guard: %j and %s is %s', async (allowedHosts, url, level) => {
    const guard = new SsrfGuard(allowedHosts, async () => ['93.184.216.34']);
    const webhooks = [{ tenant: 'Acme', name: 'ops', url }];
    expect(levelsOf(await checkWebhookGuard({ allowedHosts, guard, webhooks }))).toEqual([level]);
  });

  it.each([
    ['no key', undefined, 'error'],
    ['another key', 'another key', 'error'],
    ['the key', 'the key', 'ok'],
  ])('secret key: %s', async (_, key, level) => {
    const owner = new SecretBox('the key');
    const seal = owner.seal('opened', 'seal check');
    const secretKeySeal = { find: async () => seal, keepFirst: async () => {}, replace: async () => {} };
    const text = { place: 'webhooks' as const, id: 'w', context: 'w', sealed: owner.seal('s', 'w') };
    const sealedTexts = { list: async () => [text], replace: async () => true };
    const box = key === undefined ? undefined : new SecretBox(key);
    expect(levelsOf(await checkSecretKey({ box, secretKeySeal, sealedTexts }))).toEqual([level]);
  });

  it('a secret that another key sealed is lost, and said so by kind', async () => {
    const [owner, other] = [new SecretBox('the key'), new SecretBox('another key')];
    const secretKeySeal = {
      find: async () => owner.seal('opened', 'seal check'),
      keepFirst: async () => {},
      replace: async () => {},
    };
    const text = { place: 'pipes' as const, id: 'p', context: 'p', sealed: other.seal('s', 'p') };
    const [finding] = await checkSecretKey({
      box: owner,
      secretKeySeal,
      sealedTexts: { list: async () => [text], replace: async () => true },
    });
    expect(finding).toMatchObject({
      level: 'warning',
      message: 'Secrets were encrypted with another key (1 of 1: pipes).',
    });
  });

  it('data folder: rights of others are a warning, a folder to come is none', async () => {
    chmodSync(folder, 0o777);
    const [, rights] = await checkDataFolder({ folder, uid: process.getuid?.() });
    expect(rights).toMatchObject({ level: 'warning', advice: `chmod go-w ${folder}` });
    chmodSync(folder, 0o700);
    expect((await checkDataFolder({ folder: join(folder, 'to', 'come') }))[0]?.level).toBe('ok');
  });

  it('ports: one that another program uses is an error, one of the running program is not', async () => {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    // A server that listens on a port has an address.
    const { port } = server.address() as AddressInfo;
    const free = { SIGNALBOX_WEB_PORT: '0', SIGNALBOX_OTLP_GRPC_PORT: '0', SIGNALBOX_OTLP_HTTP_PORT: '0' };
    const config = loadConfig({ ...free, SIGNALBOX_API_PORT: String(port) });
    expect(await checkPorts(config, false)).toMatchObject([
      { level: 'error', message: `Port ${port} is used by another program.` },
    ]);
    expect(levelsOf(await checkPorts(config, true))).toEqual(['ok']);
    server.close();
    expect(levelsOf(await checkPorts(loadConfig({ ...free, SIGNALBOX_API_PORT: '0' }), false))).toEqual(['ok']);
  });

  const healthy = {
    ...{ version: '26.7', nowMs, detachedParts: 0, missingRights: [], cluster: { shards: 2, replicas: 4 } },
    ...{ failedMutations: [], readonlyReplicas: [], replicasBehind: [], fixedSettings: [] },
  };

  it.each([
    [{}, []],
    [{ detachedParts: 1 }, ['warning']],
    [{ failedMutations: ['otel.otel_logs'] }, ['warning']],
    [{ replicasBehind: ['otel.otel_logs'] }, ['warning']],
    [{ readonlyReplicas: ['otel.otel_logs'] }, ['error']],
    [{ missingRights: ['INSERT'] }, ['error']],
    [{ fixedSettings: ['async_insert'] }, ['error']],
    [{ cluster: { shards: 0, replicas: 0 } }, ['error']],
  ])('telemetry store: %j is %j, with its name and advice', (problem, levels) => {
    const found = problemsOf({ ...healthy, ...problem }, 'clickhouse:8123');
    expect(levelsOf(found)).toEqual(levels);
    for (const { message, advice } of found) {
      expect(message).toContain('clickhouse:8123');
      expect(advice).toMatch(/\.$/);
    }
  });

  it('program: what it reports as unavailable is an error, its warnings are warnings', () => {
    expect(levelsOf(presentProgram(undefined))).toEqual(['ok']);
    expect(levelsOf(presentProgram({ parts: { metadata: 'ready' } }))).toEqual(['ok']);
    const parts = { metadata: 'unavailable', telemetry: 'ready' } as const;
    expect(levelsOf(presentProgram({ parts, warnings: ['look here'] }))).toEqual(['error', 'warning']);
  });
});

describe('all checks together', () => {
  const examine = (environment: Record<string, string>) =>
    runDoctor({ environment, uid: process.getuid?.(), clock: systemClock, ids: randomIds });
  const anyPort = {
    SIGNALBOX_API_PORT: '0',
    SIGNALBOX_WEB_PORT: '0',
    SIGNALBOX_OTLP_GRPC_PORT: '0',
    SIGNALBOX_OTLP_HTTP_PORT: '0',
  };

  it('an invalid setting is the only finding', async () => {
    const findings = await examine({ SIGNALBOX_API_PORT: 'eight thousand' });
    expect(findings).toMatchObject([{ check: 'configuration', level: 'error' }]);
    expect(findings[0]?.message).toContain('SIGNALBOX_API_PORT');
  });

  it('a new installation is fine, and is still new afterwards', async () => {
    const data = join(folder, 'new');
    const findings = await examine({ ...anyPort, SIGNALBOX_DATA_DIR: data });
    expect(findings.filter(({ level }) => level === 'error')).toEqual([]);
    expect((await checkDataFolder({ folder: data }))[0]?.message).toContain('does not exist yet');
  });

  it('servers that do not answer are errors that show no password', async () => {
    const findings = await examine({
      ...anyPort,
      SIGNALBOX_DATA_DIR: join(folder, 'new'),
      SIGNALBOX_SECRET_KEY: 'SecretKeyMarker0123456789',
      SIGNALBOX_POSTGRES_URL: 'postgres://signalbox:PasswordMarker0123@127.0.0.1:9/signalbox',
      SIGNALBOX_CLICKHOUSE_URL: 'http://signalbox:PasswordMarker0123@127.0.0.1:9',
    });
    const failed = findings.filter(({ level }) => level === 'error').map(({ check }) => check);
    expect(failed).toEqual(['metadata store', 'telemetry store']);
    expect(JSON.stringify(findings)).not.toMatch(/Marker0123/);
  });
});
