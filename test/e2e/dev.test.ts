import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const randomPorts = Object.fromEntries(
  ['API', 'WEB', 'OTLP_GRPC', 'OTLP_HTTP'].map((name) => [`SIGNALBOX_${name}_PORT`, '0']),
);

it('npm run dev: one command serves the pages from their sources and the API, and Ctrl-C ends both', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'signalbox-dev-'));
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('SIGNALBOX_'));
  const child = spawn('node', [join(root, 'scripts/dev.mjs')], {
    env: { ...Object.fromEntries(others), ...randomPorts, SIGNALBOX_DATA_DIR: dataDir, SIGNALBOX_FLAVOUR: 'managed' },
  });
  const exited = new Promise((done) => child.once('close', done));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exited;
    rmSync(dataDir, { recursive: true, force: true });
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  const url = () => /Pages +(\S+)/.exec(printed)?.[1];
  await expect.poll(() => url() ?? child.exitCode, { message: printed }).toEqual(expect.any(String));
  const page = await (await fetch(`${url()}organizations`)).text();
  expect(page).toContain('src="/src/main.tsx"');
  expect(page).toContain('name="signalbox-flavour" content="managed"');
  expect(await (await fetch(`${url()}src/main.tsx`)).text()).toContain('react');
  expect(await (await fetch(`${url()}health`)).json()).toMatchObject({ status: 'ok' });
  expect((await fetch(`${url()}v1/organizations`)).status).toBe(401);
  child.kill('SIGINT');
  expect(await exited).toBe(0);
});
