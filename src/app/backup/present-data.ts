import { existsSync } from 'node:fs';
import { BackupError } from '../../backup/backup-error.ts';
import type { Config } from '../../config/config.ts';
import { DataFolderLockedError } from '../../engine/supervisor.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { hasRows } from '../../metadata/dump/stored-rows.ts';
import { openStoreAt } from '../../metadata/open-metadata.ts';
import { engineFolder } from '../embedded-engine.ts';
import { metadataLocationOf } from '../metadata-store.ts';
import type { BackupPartName } from './back-up.ts';
import { type OpenEngine, startEngine } from './open-engine.ts';

export interface PresentDataDeps {
  config: Config;
  /** Absolute. */
  dataFolder: string;
  clock: Clock;
  ids: Ids;
}

const timeoutMs = 60_000;

/**
 * @throws {BackupError} while a program runs on the folder, and, unless they are to be replaced, if the stores that these
 * parts go into are not empty
 */
export async function checkTarget(
  parts: readonly BackupPartName[],
  deps: PresentDataDeps,
  options: { replace: boolean },
): Promise<void> {
  const hasTelemetry = await holdsTelemetry(deps);
  if (deps.config.metadataStore === 'postgres' && parts.includes('metadata') && (await hasMetadata(deps.config))) {
    throw new BackupError('The database of SIGNALBOX_POSTGRES_URL is not empty; restore into an empty one.');
  }
  if (options.replace) return;
  const isUsed =
    (parts.includes('telemetry') && hasTelemetry) || (parts.includes('metadata') && (await hasMetadata(deps.config)));
  if (!isUsed) return;
  throw new BackupError(`The data folder ${deps.dataFolder} is not empty; with --replace, what is in it is set aside.`);
}

async function hasMetadata(config: Config): Promise<boolean> {
  const location = metadataLocationOf(config);
  if (location.kind === 'embedded' && !existsSync(location.file)) return false;
  const store = await openStoreAt(location, silentLogger);
  try {
    return await hasRows(store.reads);
  } finally {
    await store.close();
  }
}

/** Of the embedded engine; opening it shows that no program runs on the folder. */
async function holdsTelemetry({ config, dataFolder, ...deps }: PresentDataDeps): Promise<boolean> {
  if (config.telemetry.store.kind !== 'embedded' || !existsSync(engineFolder(dataFolder))) return false;
  const engine = await holdFolder(dataFolder, deps);
  try {
    const sql = `SELECT sum(rows) FROM system.parts
      WHERE active AND database NOT IN ('system', 'default') AND table != 'signalbox_write_probe'`;
    const { columns } = await engine.client.query(sql, { timeoutMs });
    return Number(columns[0]?.[0] ?? 0) > 0;
  } finally {
    await engine.close();
  }
}

/** The engine of a folder that no program runs on. @throws {BackupError} */
async function holdFolder(dataFolder: string, deps: Pick<PresentDataDeps, 'clock' | 'ids'>): Promise<OpenEngine> {
  try {
    return await startEngine(dataFolder, deps);
  } catch (error) {
    if (!(error instanceof DataFolderLockedError)) throw error;
    throw new BackupError(`A program runs on the data folder ${dataFolder}; stop it first.`);
  }
}
