import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { logBlock } from '../../../test/support/native-block.ts';
import { type OwnEngine, startEngine } from '../../../test/support/start-engine.ts';
import { TelemetryError } from '../ports.ts';
import { attachPart, emptyTable, makeTables } from './attach-parts.ts';
import { copyPart } from './copy-part.ts';
import { type FrozenTable, freezeTables } from './frozen-tables.ts';

let engine: OwnEngine;
let kept: string;
const rows = 3;
const timeoutMs = 60_000;
const own = { pid: 4_000_001, isAlive: (pid: number) => pid === 4_000_002 };

beforeAll(async () => {
  engine = await startEngine();
  kept = mkdtempSync(join(tmpdir(), 'signalbox-parts-'));
  await engine.databases.ensure('otel');
  for (const token of ['first', 'second']) {
    const blocks = [logBlock(Array.from({ length: rows }, (_, at) => `${token} ${at}`))];
    await engine.inserter.insert({ database: 'otel', table: 'otel_logs', blocks, token });
  }
});
afterAll(() => rmSync(kept, { recursive: true }));

async function count(): Promise<number> {
  const { columns } = await engine.client.query('SELECT count() FROM otel.otel_logs', { timeoutMs });
  return Number(columns[0]?.[0]);
}

async function frozen(): Promise<{ logs: FrozenTable; release: () => Promise<void> }> {
  const { tables, release } = await freezeTables({ client: engine.client, dataDir: engine.dataDir, ...own });
  return { logs: tables.find(({ name }) => name === 'otel_logs') ?? expect.unreachable(), release };
}

it('frozen parts stay whatever is merged or removed, until they are released', async () => {
  const { logs, release } = await frozen();
  expect(logs.parts.reduce((sum, part) => sum + part.rows, 0)).toBe(2 * rows);
  await engine.client.command('OPTIMIZE TABLE otel.otel_logs FINAL', { timeoutMs });
  await emptyTable(engine.client, { database: 'otel', name: 'otel_logs' });
  for (const part of logs.parts) cpSync(part.folder, join(kept, part.name), { recursive: true });
  await release();
  expect(logs.parts.filter(({ folder }) => existsSync(folder))).toEqual([]);
  expect(await count()).toBe(0);

  const [table] = await makeTables(engine.client, [], 'none').then((all) =>
    all.filter(({ name }) => name === 'otel_logs'),
  );
  for (const { name } of logs.parts) {
    cpSync(join(kept, name), join(table?.folder ?? '', 'detached', name), { recursive: true });
    await attachPart(engine.client, logs, name);
  }
  expect(await count()).toBe(2 * rows);
});

it('left-overs of commands that are gone are swept, those of running ones stay', async () => {
  const shadow = join(engine.dataDir, 'shadow');
  for (const name of ['signalbox_backup_4000002', 'signalbox_backup_4000003', 'of someone else']) {
    mkdirSync(join(shadow, name), { recursive: true });
  }
  await (await frozen()).release();
  const left = ['signalbox_backup_4000002', 'signalbox_backup_4000003', 'of someone else'];
  expect(left.map((name) => existsSync(join(shadow, name)))).toEqual([true, false, true]);
});

it('a table keeps its retention if it is the present one, and has none otherwise', async () => {
  const { logs, release } = await frozen();
  await release();
  const days = { logs: 3_650, traces: 3_650, metrics: 3_650 };
  const created = async (retention: typeof days | 'none') => {
    await engine.client.command('DROP TABLE otel.otel_logs SYNC', { timeoutMs });
    const made = await makeTables(engine.client, [logs], retention);
    return made.find(({ name }) => name === 'otel_logs')?.create ?? '';
  };
  expect(await created(days)).toContain('TTL TimestampTime + toIntervalDay(3650)');
  expect(await created({ ...days, logs: 7 })).not.toContain('TTL');
  expect(await created('none')).not.toContain('TTL');
});

it('a statement that would make something else is not run', async () => {
  for (const create of [
    'DROP TABLE otel.otel_traces',
    'CREATE TABLE otel.other (a UInt8) ENGINE = MergeTree ORDER BY a',
  ]) {
    const tables = [{ database: 'otel', name: 'otel_logs', create }];
    await expect(makeTables(engine.client, tables, 'none')).rejects.toThrow(TelemetryError);
  }
});

it('a part is copied in pieces that are the same in every try; those that are known to be stored are left out', async () => {
  const blocks = [logBlock(Array.from({ length: 500 }, (_, at) => `${at} ${'x'.repeat(at)}`))];
  await engine.inserter.insert({ database: 'otel', table: 'otel_logs', blocks, token: 'copied' });
  const copies = async (stored: ReadonlySet<string> = new Set()) => {
    const [pieces, added]: [[token: string, bytes: string][], string[]] = [[], []];
    let copied = 0;
    await copyPart({
      from: narrow(engine.client),
      to: {
        insert: async ({ token, blocks: sent }) => void pieces.push([token, Buffer.concat(sent).toString('base64')]),
      },
      ...{ database: 'otel', table: 'otel_logs', columns: ['Timestamp', 'Body'], identity: 'a part' },
      journal: { has: (piece) => stored.has(piece), add: async (piece) => void added.push(piece) },
      onCopied: (more) => {
        copied += more;
      },
    });
    return { pieces, added, copied };
  };
  const [first, second] = [await copies(), await copies()];
  expect(first).toEqual(second);
  expect(first.copied).toBe(500);
  expect(first.pieces.length).toBeGreaterThan(3);
  expect(new Set(first.pieces.map(([token]) => token)).size).toBe(first.pieces.length);
  const rest = await copies(new Set(first.added.slice(0, 2)));
  expect(rest).toEqual({ pieces: first.pieces.slice(2), added: first.added.slice(2), copied: 500 });
});

/** A client that answers 20 kB at most, so that pieces have to be halved. */
function narrow(client: OwnEngine['client']): Pick<OwnEngine['client'], 'query' | 'readBlocks'> {
  return {
    query: (sql, options) => client.query(sql, options),
    readBlocks: async (sql, options) => {
      const block = await client.readBlocks(sql, options);
      if (block.byteLength > 20_000) throw new TelemetryError('limit', 'too many bytes', 396);
      return block;
    },
  };
}
