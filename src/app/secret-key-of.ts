import type { Config } from '../config/config.ts';
import { keepSecretKey, secretKeyMissing } from '../config/secret-key.ts';
import { randomIds } from '../kernel/ids.ts';
import type { MetadataStore } from '../metadata/open-metadata.ts';

/**
 * The key that seals stored secrets: the setting, else the one kept in the data folder.
 * @throws {ConfigError} when the store is in use and its key is gone: a new one would lose what was sealed
 */
export async function secretKeyOf(
  config: Pick<Config, 'secrets' | 'dataFolder'>,
  { identities }: Pick<MetadataStore, 'identities'>,
): Promise<string> {
  const newKey = async () => {
    if ((await identities.countTenants()) > 0) throw secretKeyMissing();
    return randomIds.secret(32);
  };
  const key = config.secrets.secretKey ?? (await keepSecretKey(config.dataFolder, newKey));
  return key.reveal();
}
