import { resolve } from 'node:path';
import { BackupError } from '../../backup/backup-error.ts';
import { BackupReader } from '../../backup/backup-reader.ts';
import { type BackupManifest, metadataFile } from '../../backup/manifest.ts';
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { Finding } from '../doctor/finding.ts';
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
  /** The folder that what was there before was moved to, if anything was. */
  aside?: string;
  /** Whether the key that is set or kept opens the restored secrets. */
  secretKey: readonly Finding[];
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
  rejectIdle(options, deps.config);
  await checkTarget(parts, { ...deps, dataFolder }, options);
  const target = await RestoreTarget.open(dataFolder, deps.ids.uuid());
  const staged = { ...deps, reader, staging: target.staging };
  try {
    if (parts.includes('metadata')) await reader.check(metadataFile);
    if (parts.includes('telemetry')) await fillTelemetry(staged, options);
    const secretKey = parts.includes('metadata') ? await restoreMetadata(staged) : [];
    const aside = await target.commit(deps.clock.nowMs());
    return { manifest: reader.manifest, parts, secretKey, ...(aside !== undefined && { aside }) };
  } finally {
    await target.close();
  }
}

/** @throws {BackupError} for an option that could do nothing with these stores */
function rejectIdle({ replace, add }: RestoreOptions, { telemetry, metadataStore }: Config): void {
  const isEmbedded = telemetry.store.kind === 'embedded';
  if (add && isEmbedded) throw new BackupError('--add is for a ClickHouse server (SIGNALBOX_CLICKHOUSE_URL).');
  if (replace && !isEmbedded && metadataStore === 'postgres') {
    throw new BackupError(
      '--replace is for a data folder, and the settings name servers; empty their databases yourself.',
    );
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
