import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ChdbEngine } from './chdb-engine.ts';
import { forgetUncommittedTokens } from './deduplication-repair.ts';
import { renderEngineConfig } from './engine-config.ts';
import { EngineError } from './engine-error.ts';
import type { ChildMessage, EngineChildOptions, ParentMessage } from './engine-messages.ts';
import { EngineServer } from './engine-server.ts';
import { InsertBodies, insertPlaces } from './insert-body.ts';

/**
 * The engine's process: serves the ClickHouse HTTP interface over chDB until its parent says stop or is gone.
 *
 * SIGINT and SIGTERM are ignored: a terminal or an init system sends them to the whole group, and the parent must be
 * able to flush its buffers into the engine before the engine closes.
 */
export async function runEngineChild(): Promise<void> {
  if (!process.send) throw new Error('The engine is started by `signalbox serve`, not by hand');
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  // Immediately, without waiting for native threads: an orphan would keep the data folder locked.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  let close = async () => {};
  process.on('message', (message: ParentMessage) => {
    if (message.kind === 'usage') send({ kind: 'usage', usage: usage() });
    if (message.kind === 'stop') void close().finally(() => process.exit(0));
  });
  try {
    const { port, stop } = await openEngine(await startOptions());
    close = stop;
    send({ kind: 'ready', port });
  } catch (error) {
    send({ kind: 'failed', message: EngineError.from(error).message });
  }
}

function startOptions(): Promise<EngineChildOptions> {
  return new Promise((resolve) => {
    process.on('message', (message: ParentMessage) => {
      if (message.kind === 'start') resolve(message.options);
    });
  });
}

async function openEngine(options: EngineChildOptions): Promise<{ port: number; stop: () => Promise<void> }> {
  const dataDir = resolve(options.dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const configFile = join(dataDir, 'signalbox-engine.xml');
  writeFileSync(configFile, renderEngineConfig(options), { mode: 0o600 });
  // The parent starts another one.
  const onStuck = () => process.kill(process.pid, 'SIGKILL');
  const engine = new ChdbEngine(dataDir, configFile, { onStuck, parseMsMax: options.parseMsMax });
  await forgetUncommittedTokens(engine);
  const bodies = new InsertBodies(insertPlaces(dataDir));
  const { secret, concurrencyMax } = options;
  const server = new EngineServer({ engine, bodies, secret, concurrencyMax });
  const port = await server.listen();
  const stop = async () => {
    await server.close();
    engine.close();
    bodies.close();
  };
  return { port, stop };
}

function usage() {
  const { user, system } = process.cpuUsage();
  return { rssBytes: process.memoryUsage.rss(), cpuMs: (user + system) / 1000 };
}

function send(message: ChildMessage): void {
  process.send?.(message);
}
