import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { launchProgram, personalKey, startProgram } from '../support/start-program.ts';

/** The one sentence of a start that fails, without the JSON around it. */
function lastSentence(output: string): string {
  return output.trim().split('\n').at(-1) ?? '';
}

describe('a start that can’t work is one sentence and exit code 2', () => {
  it.each([
    ['SIGNALBOX_FLAVOUR', 'purple'],
    ['SIGNALBOX_API_PORT', '99999'],
    ['SIGNALBOX_ROLES', 'api,cook'],
    ['SIGNALBOX_RETENTION_DAYS_LOGS', '0'],
    ['SIGNALBOX_CLICKHOUSE_URL', 'not a url'],
  ])('wrong setting: %s=%s is named', async (name, value) => {
    const { exited, output, dataDir } = launchProgram({ env: { [name]: value } });
    expect((await exited).code, output()).toBe(2);
    expect(lastSentence(output())).toContain(name);
    rmSync(dataDir, { recursive: true, force: true });
  });

  it.each(['API', 'WEB', 'OTLP_GRPC', 'OTLP_HTTP', 'OPS'])('port taken: SIGNALBOX_%s_PORT', async (name) => {
    const blocker = createServer();
    await new Promise<void>((done) => blocker.listen(0, '127.0.0.1', done));
    const port = (blocker.address() as AddressInfo).port;
    const { exited, output, dataDir } = launchProgram({ env: { [`SIGNALBOX_${name}_PORT`]: String(port) } });
    expect((await exited).code, output()).toBe(2);
    expect(lastSentence(output())).toContain(String(port));
    blocker.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('data folder that can’t be written', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'signalbox-e2e-')), 'a-file');
    writeFileSync(file, '');
    const { exited, output } = launchProgram({ dataDir: file });
    expect((await exited).code, output()).toBe(2);
    expect(lastSentence(output())).toContain(file);
  });

  it('data folder in use by another process', async () => {
    const first = await startProgram();
    const second = launchProgram({ dataDir: first.dataDir });
    expect((await second.exited).code, second.output()).toBe(2);
    expect(lastSentence(second.output())).toContain(first.dataDir);
    expect((await first.call('GET', '/api/v2/dashboards')).status).toBe(200);
    await first.stop();
  });

  it('provisioning file with a mistake: its place is named, nothing is written', async () => {
    const provisioning = {
      teams: [{ name: 'Acme', users: [{ email: 'ada@example.com', apiKeys: [{ name: 'ci', key: 5 }] }] }],
    };
    const { exited, output, dataDir } = launchProgram({ provisioning });
    expect((await exited).code, output()).toBe(2);
    expect(lastSentence(output())).toMatch(/teams.*apiKeys.*key/);
    rmSync(dataDir, { recursive: true, force: true });
  });
});

describe('a start that works', () => {
  it('says where it listens, answers health and readiness without a key, and stops with exit code 0', async () => {
    const program = await startProgram({ env: { SIGNALBOX_OPS_PORT: '0' } });
    const { api, ops } = program.addresses;
    for (const origin of [api, ops]) {
      expect((await fetch(`${origin}/health`)).status).toBe(200);
      expect((await fetch(`${origin}/ready`)).status).toBe(200);
      expect(await (await fetch(`${origin}/metrics`)).text()).toContain('# HELP');
    }
    expect(await program.stop()).toEqual({ code: 0, signal: null });
  });

  it('says so at every log level', async () => {
    const program = await startProgram({ env: { SIGNALBOX_LOG_LEVEL: 'error' } });
    expect(program.output()).toContain('"msg":"ready"');
    await program.stop();
  });

  it('without provisioning it makes a team and writes the first keys to a file only its owner can read', async () => {
    const program = await startProgram({ provisioning: null });
    const file = join(program.dataDir, 'first-keys.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8');
    const keys = Object.values(JSON.parse(text) as Record<string, unknown>).filter(
      (value): value is string => typeof value === 'string',
    );
    const opened = await Promise.all(keys.map((key) => program.call('GET', '/api/v2/dashboards', undefined, key)));
    expect(opened.filter((answer) => answer.status === 200)).toHaveLength(1);
    for (const key of keys.filter((value) => value.length >= 40)) expect(program.output()).not.toContain(key);
    await program.stop();
  });

  it('keeps everything over a restart, and is ready again on the same folder', async () => {
    const first = await startProgram();
    await first.call('POST', '/api/v2/dashboards', { name: 'Kept', tiles: [] });
    await first.kill('SIGTERM');
    const second = await startProgram({ dataDir: first.dataDir });
    const { json } = await second.call('GET', '/api/v2/dashboards', undefined, personalKey);
    expect((json as { data: { name: string }[] }).data.map((dashboard) => dashboard.name)).toEqual(['Kept']);
    await second.stop();
    rmSync(first.dataDir, { recursive: true, force: true });
  });
});
