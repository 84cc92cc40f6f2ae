import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { BackupError } from '../../backup/backup-error.ts';
import { BackupWriter } from '../../backup/backup-writer.ts';
import { type BackupManifest, formatVersion } from '../../backup/manifest.ts';
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import { engineFolder } from '../embedded-engine.ts';
import { metadataLocationOf } from '../metadata-store.ts';
import { programVersion } from '../version.ts';
import type { Progress } from './progress.ts';
import { writeMetadata } from './write-metadata.ts';
import { writeTelemetry } from './write-telemetry.ts';

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
