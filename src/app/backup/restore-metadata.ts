import { join } from 'node:path';
import { SecretBox } from '../../access/secret-box.ts';
import { BackupError } from '../../backup/backup-error.ts';
import type { BackupReader } from '../../backup/backup-reader.ts';
import { metadataFile } from '../../backup/manifest.ts';
import type { Config } from '../../config/config.ts';
import { findSecretKey } from '../../config/secret-key.ts';
import type { Clock } from '../../kernel/clock.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { loadMetadata } from '../../metadata/dump/load-metadata.ts';
import { type MetadataRow, parseRow } from '../../metadata/dump/metadata-row.ts';
import { CommittingDatabase } from '../../metadata/metadata-database.ts';
import { MetadataError } from '../../metadata/metadata-error.ts';
import { openStoreAt } from '../../metadata/open-metadata.ts';
import { repositoriesOver } from '../../metadata/repositories.ts';
import { checkSecretKey } from '../doctor/check-secret-key.ts';
import type { Finding } from '../doctor/finding.ts';
import { metadataLocationOf } from '../metadata-store.ts';
import type { Progress } from './progress.ts';

export interface RestoreMetadataDeps {
  config: Config;
  clock: Clock;
  progress: Progress;
  reader: BackupReader;
  /** Where an embedded store is made. */
  staging: string;
}

/**
 * Loads the rows of a backup in one transaction: into PostgreSQL, or into a new embedded store in the staging folder.
 * Answers whether the secret key opens what is sealed in them. @throws {BackupError}
 */
export async function restoreMetadata({
  config,
  clock,
  progress,
  reader,
  staging,
}: RestoreMetadataDeps): Promise<Finding[]> {
  const { metadata } = reader.manifest;
  if (!metadata) return [];
  const wanted = metadataLocationOf(config);
  const location = wanted.kind === 'embedded' ? { ...wanted, file: join(staging, 'metadata.db') } : wanted;
  const store = await openStoreAt(location, silentLogger);
  try {
    let done = 0;
    const noteRow = () => progress.report('Metadata', ++done, metadata.rows);
    const dump = { migrations: metadata.migrations, rows: rowsOf(reader, noteRow) };
    const database = new CommittingDatabase(store);
    await loadMetadata(database, dump, clock.nowMs()).catch(explain);
    const secretKey = config.secrets.secretKey ?? (await findSecretKey(config.dataFolder));
    const box = secretKey && new SecretBox(secretKey.reveal(), config.secrets.previousSecretKey?.reveal());
    return await checkSecretKey({ box, ...repositoriesOver(database) });
  } finally {
    await store.close();
  }
}

async function* rowsOf(reader: BackupReader, noteRow: () => void): AsyncGenerator<MetadataRow> {
  for await (const line of reader.lines(metadataFile)) {
    yield parseRow(line);
    noteRow();
  }
}

function explain(error: unknown): never {
  if (!(error instanceof MetadataError)) throw error;
  throw new BackupError(`The metadata cannot be restored: ${error.message}.`);
}
