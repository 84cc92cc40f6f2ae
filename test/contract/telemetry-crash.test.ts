import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataFolderLockedError } from '../../src/engine/supervisor.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import { BatchWriter } from '../../src/telemetry/batch-writer.ts';
import { encodedLogs, logBlock } from '../support/native-block.ts';
import { newEngineClient, newSupervisor, type OwnEngine, startEngine } from '../support/start-engine.ts';

const exampleRounds = 4;

/** SIGKILL, as the kernel's memory killer sends it; the engine's client must not notice more than a pause. */
async function killEngine(engine: OwnEngine): Promise<void> {
  const { pid, restarts } = engine.supervisor;
  if (pid === undefined) throw new Error('there is no engine to kill');
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => engine.supervisor.restarts).toBeGreaterThan(restarts);
}
const untilReady = (engine: OwnEngine) => expect.poll(() => engine.supervisor.state).toBe('ready');
const count = async (engine: OwnEngine, where: string) => {
  const sql = `SELECT count(), uniqExact(Body) FROM otel.otel_logs WHERE ${where}`;
  return (await engine.client.query(sql, { timeoutMs: 20_000 })).columns.map((column) => column[0]);
};

describe('decisions E1: the engine dies and the program keeps running', () => {
  let engine: OwnEngine;
  beforeAll(async () => {
    engine = await startEngine();
    await engine.databases.ensure('otel');
  });

  it('a read in flight is retried after the restart', async () => {
    const mark = 'asked-again';
    const query = engine.client.query(`SELECT sleep(1), '${mark}'`, { timeoutMs: 30_000 });
    const running = `SELECT count() FROM system.processes WHERE query LIKE '%${mark}%' AND query NOT LIKE '%processes%'`;
    await expect.poll(async () => (await engine.client.query(running, { timeoutMs: 5_000 })).columns).toEqual([[1]]);
    await killEngine(engine);
    expect((await query).columns[1]).toEqual([mark]);
    const kinds = engine.events.map(({ kind }) => kind);
    expect(kinds).toEqual(['ready', 'exited', 'ready']);
  });

  it('an engine that does not return from parsing a statement ends, and another one starts', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'signalbox-stuck-'));
    const supervisor = newSupervisor(dataDir, () => {}, { parseMsMax: 1_500 });
    await supervisor.start();
    const client = newEngineClient(supervisor);
    try {
      // Each BETWEEN doubles what the parser makes of the statement.
      const endless = `SELECT 1${' BETWEEN 1 AND 2'.repeat(60)}`;
      await expect(client.command(endless, { timeoutMs: 60_000 })).rejects.toMatchObject({ kind: 'unavailable' });
      await expect.poll(() => supervisor.restarts).toBe(1);
      expect((await client.query('SELECT 1', { timeoutMs: 20_000 })).columns).toEqual([[1]]);
    } finally {
      await client.close();
      await supervisor.stop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });

  it('each restart has a new address and a new secret', async () => {
    await untilReady(engine);
    const before = engine.supervisor.endpoint;
    await killEngine(engine);
    await untilReady(engine);
    expect(engine.supervisor.endpoint?.secret).not.toBe(before?.secret);
  });

  it('decisions E3: nothing acknowledged is lost, nothing is doubled, over several kills in mid-insert', async () => {
    await untilReady(engine);
    const writer = new BatchWriter({
      inserter: engine.inserter,
      clock: systemClock,
      ids: randomIds,
      limits: { ageMaxMs: 5 },
    });
    let sent = 0;
    let acknowledged = 0;
    let on = true;
    const send = async () => {
      while (on) {
        const bodies = Array.from({ length: 50 }, () => `crash-${sent++}`);
        await writer.add('otel', [encodedLogs(bodies)]);
        acknowledged += bodies.length;
      }
    };
    const senders = Array.from({ length: 4 }, send);
    for (let round = 0; round < exampleRounds; round++) {
      const goal = acknowledged + 400;
      await expect.poll(() => acknowledged).toBeGreaterThan(goal);
      await killEngine(engine);
    }
    on = false;
    await Promise.all(senders);
    await writer.close();
    expect(acknowledged).toBe(sent);
    expect(await count(engine, `Body LIKE 'crash-%'`)).toEqual([acknowledged, acknowledged]);
  });

  it('reports what it costs, and nothing while it is down', async () => {
    await untilReady(engine);
    const usage = await engine.supervisor.usage();
    expect(usage?.rssBytes).toBeGreaterThan(50_000_000);
    expect(usage?.cpuMs).toBeGreaterThan(0);
    await engine.stop();
    expect(engine.supervisor).toMatchObject({ state: 'stopped', endpoint: undefined });
    expect(await engine.supervisor.usage()).toBeUndefined();
    await expect(engine.client.query('SELECT 1', { timeoutMs: 200 })).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

describe('a data folder', () => {
  const folders: string[] = [];
  const newFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-engine-'));
    folders.push(folder);
    return folder;
  };
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  it('interface: belongs to one process; another gets a clear rejection', async () => {
    const dataDir = newFolder();
    const owner = newSupervisor(dataDir);
    await owner.start();
    const other = newSupervisor(dataDir, () => {}, { lockWaitMs: 0 });
    await expect(other.start()).rejects.toThrow(DataFolderLockedError);
    await other.stop();
    await owner.stop();
  });

  it('interface: a locked one is waited for', async () => {
    const dataDir = newFolder();
    const owner = newSupervisor(dataDir);
    await owner.start();
    const next = newSupervisor(dataDir, () => {}, { lockWaitMs: 30_000 });
    const started = next.start();
    await owner.stop();
    await started;
    expect(next.state).toBe('ready');
    await next.stop();
  });

  it('keeps its rows over a stop and a start', async () => {
    const dataDir = newFolder();
    for (const expected of [1, 2]) {
      const supervisor = newSupervisor(dataDir);
      await supervisor.start();
      const client = newEngineClient(supervisor);
      const options = { timeoutMs: 10_000 };
      await client.command('CREATE DATABASE IF NOT EXISTS kept', options);
      await client.command('CREATE TABLE IF NOT EXISTS kept.t (a UInt8) ENGINE = MergeTree ORDER BY a', options);
      await client.command('INSERT INTO kept.t VALUES (1)', options);
      expect((await client.query('SELECT count() FROM kept.t', options)).columns).toEqual([[expected]]);
      await client.close();
      await supervisor.stop();
    }
  });

  it('forgets the token of a batch whose part a crash kept from being committed', async () => {
    const dataDir = newFolder();
    const insert = { database: 'otel', table: 'otel_logs', blocks: [logBlock(['lost'])], token: 'once' } as const;
    const rowsAfter = async (work: (client: ReturnType<typeof newEngineClient>) => Promise<void>) => {
      const supervisor = newSupervisor(dataDir);
      await supervisor.start();
      const client = newEngineClient(supervisor);
      await work(client);
      const { columns } = await client.query('SELECT count() FROM otel.t', { timeoutMs: 10_000 });
      await client.close();
      await supervisor.stop();
      return columns[0]?.[0];
    };
    const ddl = `CREATE TABLE otel.t (Body String) ENGINE = MergeTree ORDER BY Body SETTINGS non_replicated_deduplication_window = 100`;
    const send = (client: ReturnType<typeof newEngineClient>) =>
      client.command(`INSERT INTO otel.t SETTINGS insert_deduplication_token = '${insert.token}' VALUES ('lost')`, {
        timeoutMs: 10_000,
      });
    const first = await rowsAfter(async (client) => {
      await client.command('CREATE DATABASE otel', { timeoutMs: 10_000 });
      await client.command(ddl, { timeoutMs: 10_000 });
      await send(client);
      await send(client);
    });
    expect(first).toBe(1);
    // The state after a kill between the two steps: the token is in the log, the part is not there.
    rmSync(partFolder(dataDir), { recursive: true });
    expect(await rowsAfter(send)).toBe(1);
    expect(await rowsAfter(send)).toBe(1);
  });
});

function partFolder(dataDir: string): string {
  const store = join(dataDir, 'store');
  const log = readdirSync(store, { recursive: true, encoding: 'utf8' }).find((path) =>
    path.endsWith('deduplication_log_1.txt'),
  );
  if (!log) throw new Error('no token was logged');
  expect(readFileSync(join(store, log), 'utf8')).toContain('all_1_1_0');
  return join(store, log, '../..', 'all_1_1_0');
}
