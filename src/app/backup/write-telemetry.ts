import { readdir, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { BackupWriter } from '../../backup/backup-writer.ts';
import { type BackupTable, partFolder } from '../../backup/manifest.ts';
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import { type FrozenTable, freezeTables } from '../../telemetry/parts/frozen-tables.ts';
import { engineFolder } from '../embedded-engine.ts';
import { openEngine } from './open-engine.ts';
import type { Progress } from './progress.ts';
import { rejectStopped } from './reject-stopped.ts';

export interface WriteTelemetryDeps {
  config: Config;
  clock: Clock;
  ids: Ids;
  progress: Progress;
  stopSignal: AbortSignal;
}

/** Freezes the tables of the embedded engine and copies their parts into a backup. @throws {BackupError} */
export async function writeTelemetry(writer: BackupWriter, deps: WriteTelemetryDeps): Promise<BackupTable[]> {
  const dataFolder = resolve(deps.config.dataFolder);
  const engine = await openEngine(dataFolder, deps);
  try {
    const dataDir = engineFolder(dataFolder);
    const { tables, release } = await freezeTables({ client: engine.client, dataDir, pid: process.pid, isAlive });
    try {
      return await copyTables(writer, tables, deps);
    } finally {
      await release();
    }
  } finally {
    await engine.close();
  }
}

interface SizedFile {
  path: string;
  bytes: number;
}

async function copyTables(
  writer: BackupWriter,
  tables: readonly FrozenTable[],
  { progress, stopSignal }: Pick<WriteTelemetryDeps, 'progress' | 'stopSignal'>,
): Promise<BackupTable[]> {
  const files = new Map<string, readonly SizedFile[]>();
  for (const { folder } of tables.flatMap(({ parts }) => parts)) files.set(folder, await filesIn(folder));
  const total = bytesOf([...files.values()].flat());
  await writer.requireRoom(total);
  let done = 0;
  progress.report('Telemetry', done, total);
  const copied: BackupTable[] = [];
  for (const table of tables) {
    const { database, name, create, columns } = table;
    const parts = table.parts.map((part) => {
      return { name: part.name, rows: part.rows, bytes: bytesOf(files.get(part.folder) ?? []) };
    });
    const entry: BackupTable = { database, name, create, columns, parts };
    for (const part of table.parts) {
      for (const { path, bytes } of files.get(part.folder) ?? []) {
        rejectStopped(stopSignal);
        const inside = relative(part.folder, path).split(sep).join('/');
        await writer.copyIn(path, `${partFolder(entry, part.name)}/${inside}`);
        done += bytes;
        progress.report('Telemetry', done, total);
      }
    }
    copied.push(entry);
  }
  return copied;
}

async function filesIn(folder: string): Promise<SizedFile[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(paths.map(async (path) => ({ path, bytes: (await stat(path)).size })));
}

function bytesOf(files: readonly SizedFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process cannot be signalled, and is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
