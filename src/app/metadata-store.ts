import { join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { type MetadataLocation, type MetadataStore, openMetadata } from '../metadata/open-metadata.ts';

type StoreConfig = Pick<Config, 'secrets' | 'dataFolder'>;

/** The metadata store that the settings name; safe beside another process that works on it. */
export function openMetadataStore(config: StoreConfig, logger: Logger): Promise<MetadataStore> {
  return openMetadata({ location: metadataLocationOf(config), clock: systemClock, logger });
}

export function metadataLocationOf({ secrets, dataFolder }: StoreConfig): MetadataLocation {
  const { postgresUrl } = secrets;
  if (postgresUrl) return { kind: 'postgres', url: postgresUrl.reveal() };
  return { kind: 'embedded', file: join(resolve(dataFolder), 'metadata.db') };
}
