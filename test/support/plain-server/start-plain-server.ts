import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { vi } from 'vitest';
import { afterFile } from '../after-file.ts';
import type { ServerUnderTest } from '../server-engine.ts';

const user = 'app';
const secret = 'app pass/1';

/** Where the engine's library is; `undefined` where it cannot be called like this. */
export function engineLibrary(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const { resolve } = createRequire(import.meta.url);
  try {
    resolve('ffi-rs');
    const file = join(dirname(resolve(`@chdb/lib-linux-${process.arch}-gnu/package.json`)), 'libchdb.so');
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

/**
 * ClickHouse's own server, as the library of the embedded engine can open it, without anything of ours in between
 * (docs/adr/0017). Ends after the tests of this file.
 */
export async function startPlainServer(library: string): Promise<ServerUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-server-'));
  const port = await freePort();
  const config = join(folder, 'config.xml');
  writeFileSync(config, configOf(port));
  writeFileSync(join(folder, 'users.xml'), users);
  const file = join(import.meta.dirname, 'plain-server.mjs');
  const child = spawn('node', [file, library, config, join(folder, 'data')], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const errors: string[] = [];
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  afterFile(async () => {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  await vi.waitUntil(() => answers(url, child, errors), { timeout: 120_000, interval: 50 });
  return { endpoint: { url, user, secret }, topology: { kind: 'single' } };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function answers(url: string, child: ChildProcess, errors: readonly string[]): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}: ${errors.join('')}`);
  return fetch(`${url}/ping`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  // The address of a server that listens on a port is not a path.
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}

function configOf(port: number): string {
  return `<clickhouse>
  <logger><level>none</level></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${port}</http_port>
  <users_config>users.xml</users_config>
  <max_server_memory_usage>2000000000</max_server_memory_usage>
  <mark_cache_size>268435456</mark_cache_size>
</clickhouse>`;
}

const loopback = '<networks><ip>127.0.0.0/8</ip></networks><profile>default</profile><quota>default</quota>';
const users = `<clickhouse>
  <profiles><default/></profiles>
  <users>
    <default><password/>${loopback}<access_management>1</access_management></default>
    <${user}><password>${secret}</password>${loopback}</${user}>
  </users>
  <quotas><default/></quotas>
</clickhouse>`;
