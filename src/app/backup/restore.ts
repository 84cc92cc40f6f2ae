import { resolve } from 'node:path';
import { BackupError } from '../../backup/backup-error.ts';
import { BackupReader } from '../../backup/backup-reader.ts';
import { type BackupManifest, metadataFile } from '../../backup/manifest.ts';
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { BackupPartName } from './back-up.ts';
import { importTelemetry } from './import-telemetry.ts';
import { checkTarget } from './present-data.ts';
import type { Progress } from './progress.ts';
import { restoreMetadata } from './restore-metadata.ts';
import { RestoreTarget } from './restore-target.ts';
import { type RestoreTelemetryDeps, restoreTelemetry } from './restore-telemetry.ts';

export interface RestoreOptions {
  only?: BackupPartName;
  /** Embedded stores: what is there is set aside. */
  replace: boolean;
  /** A ClickHouse server: rows are added to those that are there. */
  add: boolean;
}

export interface RestoreDeps {
  config: Config;
  clock: Clock;
  ids: Ids;
  progress: Progress;
  stopSignal: AbortSignal;
}

export interface RestoreResult {
  manifest: BackupManifest;
  parts: readonly BackupPartName[];
  /** Name of the folder in the data folder that what was there before was moved to, if anything was. */
  aside: string;
}

/**
 * Fills the stores that the settings name from a backup. Nothing is changed before everything has been read and checked.
 *
 * @throws {BackupError} for a backup that is incomplete, damaged or too new, and for stores that are not empty
 */
export async function restore(folder: string, options: RestoreOptions, deps: RestoreDeps): Promise<RestoreResult> {
  const reader = await BackupReader.open(resolve(folder));
  const parts = partsOf(reader.manifest, options.only);
  const dataFolder = resolve(deps.config.dataFolder);
  await checkTarget(parts, { ...deps, dataFolder }, options);
  const target = await RestoreTarget.open(dataFolder, deps.ids.uuid());
  const staged = { ...deps, reader, staging: target.staging };
  try {
    if (parts.includes('metadata')) await reader.check(metadataFile);
    if (parts.includes('telemetry')) await fillTelemetry(staged, options);
    if (parts.includes('metadata')) await restoreMetadata(staged);
    const aside = `replaced-${new Date(deps.clock.nowMs()).toISOString().replaceAll(/[:.]/g, '-')}`;
    await target.commit(aside);
    return { manifest: reader.manifest, parts, aside };
  } finally {
    await target.close();
  }
}

function fillTelemetry(deps: RestoreTelemetryDeps, { add }: Pick<RestoreOptions, 'add'>): Promise<void> {
  return deps.config.telemetry.store.kind === 'embedded' ? restoreTelemetry(deps) : importTelemetry({ ...deps, add });
}

function partsOf(manifest: BackupManifest, only: BackupPartName | undefined): BackupPartName[] {
  const held = (['metadata', 'telemetry'] as const).filter((part) => manifest[part] !== undefined);
  if (only === undefined) return held;
  if (held.includes(only)) return [only];
  throw new BackupError(`This backup has no ${only}; it was made with --only ${held.join('')}.`);
}
