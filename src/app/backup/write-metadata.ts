import type { BackupWriter } from '../../backup/backup-writer.ts';
import { type BackupManifest, metadataFile } from '../../backup/manifest.ts';
import type { Config } from '../../config/config.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { dumpMetadata } from '../../metadata/dump/dump-metadata.ts';
import { renderRow } from '../../metadata/dump/metadata-row.ts';
import { openStoreAt } from '../../metadata/open-metadata.ts';
import { metadataLocationOf } from '../metadata-store.ts';
import type { Progress } from './progress.ts';

/** Writes every row of the metadata store, as it is at one moment, into a backup. */
export async function writeMetadata(
  writer: BackupWriter,
  { config, progress }: { config: Config; progress: Progress },
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
