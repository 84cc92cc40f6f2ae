import { join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { type MetadataStore, openMetadata } from '../metadata/open-metadata.ts';

/** The metadata store that the settings name; safe beside another process that works on it. */
export function openMetadataStore(
  { secrets, dataFolder }: Pick<Config, 'secrets' | 'dataFolder'>,
  logger: Logger,
): Promise<MetadataStore> {
  const { postgresUrl } = secrets;
  const location = postgresUrl
    ? ({ kind: 'postgres', url: postgresUrl.reveal() } as const)
    : ({ kind: 'embedded', file: join(resolve(dataFolder), 'metadata.db') } as const);
  return openMetadata({ location, clock: systemClock, logger });
}
