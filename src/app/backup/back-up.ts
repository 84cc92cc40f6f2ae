import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { BackupError } from '../../backup/backup-error.ts';
import { BackupWriter } from '../../backup/backup-writer.ts';
import {
  type BackupManifest,
  type BackupTable,
  formatVersion,
  metadataFile,
  partFolder,
} from '../../backup/manifest.ts';
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { dumpMetadata } from '../../metadata/dump/dump-metadata.ts';
import { renderRow } from '../../metadata/dump/metadata-row.ts';
import { openStoreAt } from '../../metadata/open-metadata.ts';
import { type FrozenTable, freezeTables } from '../../telemetry/parts/frozen-tables.ts';
import { engineFolder } from '../embedded-engine.ts';
import { metadataLocationOf } from '../metadata-store.ts';
import { programVersion } from '../version.ts';
import { openEngine } from './open-engine.ts';
import type { Progress } from './progress.ts';
import { rejectStopped } from './reject-stopped.ts';

export type BackupPartName = 'metadata' | 'telemetry';

export interface BackUpDeps {
  config: Config;
  clock: Clock;
  ids: Ids;
  progress: Progress;
  /** Ends the work; what was written is removed. */
  stopSignal: AbortSignal;
}

/**
 * Writes a backup into a new folder while the program runs or not. The metadata are those of one moment; of telemetry,
 * everything that was acknowledged before the start is in it, once.
 *
 * @throws {BackupError} when there is nothing to back up, or it cannot be done from here
 */
export async function backUp(
  folder: string,
  only: BackupPartName | undefined,
  deps: BackUpDeps,
): Promise<BackupManifest> {
  const parts = (['metadata', 'telemetry'] as const).filter((part) => only === undefined || part === only);
  checkSources(parts, deps.config);
  const writer = await BackupWriter.create(resolve(folder));
  try {
    const startedAt = new Date(deps.clock.nowMs()).toISOString();
    const manifest: BackupManifest = {
      ...{ formatVersion, id: deps.ids.uuid(), program: programVersion, startedAt },
      ...(parts.includes('metadata') && { metadata: await writeMetadata(writer, deps) }),
      ...(parts.includes('telemetry') && { telemetry: { tables: await writeTelemetry(writer, deps) } }),
    };
    await writer.finish(manifest);
    return manifest;
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

function checkSources(parts: readonly BackupPartName[], config: Config): void {
  const { store } = config.telemetry;
  if (parts.includes('telemetry') && store.kind === 'server') {
    throw new BackupError(
      'The telemetry is on the ClickHouse server of SIGNALBOX_CLICKHOUSE_URL: back it up there (BACKUP DATABASE), and everything else with: signalbox backup --only metadata <folder>',
    );
  }
  const location = metadataLocationOf(config);
  const needed = [
    ...(parts.includes('metadata') && location.kind === 'embedded' ? [location.file] : []),
    ...(parts.includes('telemetry') ? [engineFolder(resolve(config.dataFolder))] : []),
  ];
  const missing = needed.find((path) => !existsSync(path));
  if (missing === undefined) return;
  throw new BackupError(`SIGNALBOX_DATA_DIR names a folder without a store: ${missing} does not exist.`);
}

async function writeMetadata(
  writer: BackupWriter,
  { config, progress }: BackUpDeps,
): Promise<NonNullable<BackupManifest['metadata']>> {
  const store = await openStoreAt(metadataLocationOf(config), silentLogger);
  let rows = 0;
  try {
    progress.report('Metadata', 0, 1);
    const { migrations } = await writer.writeLines(metadataFile, (add) =>
      dumpMetadata(store, async (row) => {
        rows++;
        await add(renderRow(row));
      }),
    );
    progress.report('Metadata', 1, 1);
    return { migrations, rows };
  } finally {
    await store.close();
  }
}

async function writeTelemetry(writer: BackupWriter, deps: BackUpDeps): Promise<BackupTable[]> {
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
  { progress, stopSignal }: Pick<BackUpDeps, 'progress' | 'stopSignal'>,
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
