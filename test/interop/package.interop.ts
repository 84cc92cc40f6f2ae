import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'signalbox-package-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = promisify(execFile);
const anyPort = Object.fromEntries(
  ['API', 'WEB', 'OTLP_GRPC', 'OTLP_HTTP'].map((port) => [`SIGNALBOX_${port}_PORT`, '0']),
);

/** About a gigabyte is installed. */
const timeoutMs = 300_000;

it('packed, installed into an empty folder and started with npx, the program answers, pages and health check too', {
  timeout: timeoutMs,
}, async () => {
  const packed = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: root, maxBuffer: 1e8 });
  const [{ filename }]: [{ filename: string }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[')));
  const home = join(folder, 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{}');
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', join(folder, filename)], { cwd: home });
  expect(readdirSync(join(home, 'node_modules/signalbox')).toSorted()).toEqual(
    ['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'dist', 'package.json'].toSorted(),
  );

  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...anyPort, SIGNALBOX_OPS_PORT: '0' };
  const program = spawn('npx', ['signalbox', 'serve'], { cwd: home, env, detached: true });
  const exited = new Promise((done) => program.once('close', done));
  try {
    const { api, web, ops } = await addressesOf(program.stdout);
    expect((await fetch(`${api}/ready`)).status).toBe(200);
    const page = await (await fetch(web)).text();
    const [, script = ''] = /src="\.?\/?(assets\/[^"]+\.js)"/.exec(page) ?? [];
    expect((await fetch(`${web}/${script}`)).headers.get('content-type')).toContain('javascript');
    const health = join(root, 'deploy/image/health.mjs');
    await run(process.execPath, [health], { env: { ...env, SIGNALBOX_OPS_PORT: new URL(ops).port } });
    const doctor = await run('npx', ['signalbox', 'doctor', '--json'], { cwd: home, env });
    expect(JSON.parse(doctor.stdout)).toContainEqual(
      expect.objectContaining({ check: 'telemetry store', level: 'ok' }),
    );
  } finally {
    // npx, its shell and the program.
    if (program.pid !== undefined) process.kill(-program.pid, 'SIGTERM');
    await exited;
  }
});

async function addressesOf(output: NodeJS.ReadableStream): Promise<{ api: string; web: string; ops: string }> {
  for await (const line of createInterface({ input: output })) {
    if (!line.startsWith('{')) continue;
    const { msg, addresses } = JSON.parse(line);
    if (msg === 'ready') return addresses;
  }
  throw new Error('the program did not start');
}
