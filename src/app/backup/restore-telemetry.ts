import { join } from 'node:path';
import type { BackupReader } from '../../backup/backup-reader.ts';
import { type BackupTable, partFolder } from '../../backup/manifest.ts';
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import { attachPart, makeTables } from '../../telemetry/parts/attach-parts.ts';
import type { StoredTable } from '../../telemetry/parts/stored-tables.ts';
import { startEngine } from './open-engine.ts';
import type { Progress } from './progress.ts';
import { rejectStopped } from './reject-stopped.ts';

export interface RestoreTelemetryDeps {
  config: Config;
  clock: Clock;
  ids: Ids;
  progress: Progress;
  stopSignal: AbortSignal;
  reader: BackupReader;
  /** Where a new embedded engine is filled. */
  staging: string;
}

/**
 * Makes the tables of a backup in a new engine below the staging folder and attaches their parts as they were: nothing
 * is inserted, so it takes as long as copying the files.
 *
 * @throws {BackupError} for a damaged file
 */
export async function restoreTelemetry({
  config,
  reader,
  staging,
  progress,
  stopSignal,
  ...deps
}: RestoreTelemetryDeps): Promise<void> {
  const tables = reader.manifest.telemetry?.tables ?? [];
  const total = tables.flatMap(({ parts }) => parts).reduce((sum, { bytes }) => sum + bytes, 0);
  const engine = await startEngine(staging, deps);
  try {
    const made = await makeTables(engine.client, tables, config.telemetry.retentionDays);
    let done = 0;
    for (const table of tables) {
      for (const { name, bytes } of table.parts) {
        rejectStopped(stopSignal);
        const stored = tableLike(made, table);
        await placePart(reader, table, { name, stored });
        await attachPart(engine.client, table, name);
        done += bytes;
        progress.report('Telemetry', done, total);
      }
    }
  } finally {
    await engine.close();
  }
}

/** Copies the files of a part to where the engine attaches them from. @throws {BackupError} */
export async function placePart(
  reader: BackupReader,
  table: BackupTable,
  { name, stored }: { name: string; stored: StoredTable },
): Promise<void> {
  const folder = partFolder(table, name);
  for (const path of reader.filesBelow(folder)) {
    await reader.copyOut(path, join(stored.folder, 'detached', name, path.slice(folder.length + 1)));
  }
}

export function tableLike(made: readonly StoredTable[], { database, name }: BackupTable): StoredTable {
  const stored = made.find((table) => table.database === database && table.name === name);
  if (!stored) throw new Error('a table that was just made is not there');
  return stored;
}
