import { readdirSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { quoteName, quoteText } from '../../kernel/sql-quoting.ts';
import type { ClickHouseClient } from '../clickhouse-client.ts';
import { TelemetryError } from '../ports.ts';
import { listStoredTables, type StoredTable } from './stored-tables.ts';

/** A part that no merge removes as long as its freeze is there. */
export interface FrozenPart {
  name: string;
  /** Absolute. */
  folder: string;
  rows: number;
}

export interface FrozenTable extends StoredTable {
  parts: readonly FrozenPart[];
}

export interface FreezeDeps {
  client: Pick<ClickHouseClient, 'query' | 'command'>;
  /** Of the embedded engine. */
  dataDir: string;
  /** Of this process: distinguishes its freezes from those of others. */
  pid: number;
  /** Whether a process runs. */
  isAlive: (pid: number) => boolean;
}

/** The engine escapes other characters in the name of the folder. */
const prefix = 'signalbox_backup_';
const timeoutMs = 60_000;

/**
 * All tables as they are now: the engine makes hard links to the files of their parts, which takes milliseconds and no
 * room, however much they hold. Rows acknowledged before are in them. Throws `TelemetryError`.
 */
export async function freezeTables(deps: FreezeDeps): Promise<{ tables: FrozenTable[]; release: () => Promise<void> }> {
  await removeStaleFreezes(deps);
  const { client, dataDir, pid } = deps;
  const name = `${prefix}${pid}`;
  const shadow = join(dataDir, 'shadow', name);
  const release = () => rm(shadow, { recursive: true, force: true });
  try {
    const tables = await listStoredTables(client);
    const rows = await countRows(client);
    for (const table of tables) {
      const target = `${quoteName(table.database)}.${quoteName(table.name)}`;
      await client.command(`ALTER TABLE ${target} FREEZE WITH NAME ${quoteText(name)}`, { timeoutMs });
    }
    const frozen = tables.map(async (table) => {
      const folder = join(shadow, insideStore(table.folder));
      return { ...table, parts: await partsIn(folder) };
    });
    return { tables: checkRows(await Promise.all(frozen), rows), release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** The engine may know its folder by another path, such as the target of a link. */
function insideStore(folder: string): string {
  return folder.slice(folder.lastIndexOf('/store/'));
}

/** Of each table, by `database.table`. */
async function countRows(client: FreezeDeps['client']): Promise<ReadonlyMap<string, number>> {
  const sql = `SELECT concat(database, '.', table), sum(rows) FROM system.parts WHERE active GROUP BY 1`;
  const { columns } = await client.query(sql, { timeoutMs });
  const [names = [], counts = []] = columns;
  return new Map(names.map((name, at) => [String(name), Number(counts[at])]));
}

/** Fewer rows than before: files are not where they should be, and a backup without them must not look complete. */
function checkRows(tables: FrozenTable[], before: ReadonlyMap<string, number>): FrozenTable[] {
  for (const { database, name, parts } of tables) {
    const rows = parts.reduce((sum, part) => sum + part.rows, 0);
    if (rows >= (before.get(`${database}.${name}`) ?? 0)) continue;
    throw new TelemetryError('failed', `parts of ${database}.${name} are missing among the frozen ones`);
  }
  return tables;
}

/** Their links keep files of parts that were merged long ago. */
async function removeStaleFreezes({ dataDir, pid: own, isAlive }: FreezeDeps): Promise<void> {
  for (const name of namesIn(join(dataDir, 'shadow'))) {
    const pid = /^signalbox_backup_(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && (Number(pid) === own || !isAlive(Number(pid)))) {
      await rm(join(dataDir, 'shadow', name), { recursive: true, force: true });
    }
  }
}

async function partsIn(folder: string): Promise<FrozenPart[]> {
  const parts = namesIn(folder).map((name) => ({ name, folder: join(folder, name) }));
  return Promise.all(
    parts.map(async (part) => ({ ...part, rows: Number(await readFile(join(part.folder, 'count.txt'), 'utf8')) })),
  );
}

/** Nothing for a table without parts. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
