import { isBoxOf } from '../access/seal-check.ts';
import { SecretBox } from '../access/secret-box.ts';
import type { Config } from '../config/config.ts';
import { keepSecretKey, secretKeyMissing, secretKeyWrong } from '../config/secret-key.ts';
import { randomIds } from '../kernel/ids.ts';
import type { MetadataStore } from '../metadata/open-metadata.ts';

type KeyedStore = Pick<MetadataStore, 'identities' | 'secretKeySeal'>;
type KeyConfig = Pick<Config, 'secrets' | 'dataFolder'>;

/**
 * The key that seals stored secrets: the setting, else the one kept in the data folder.
 * @throws {ConfigError} when the store is in use and its key is gone, or is another one: what was sealed would be lost
 */
export async function secretKeyOf(config: KeyConfig, store: KeyedStore): Promise<string> {
  const key = await givenSecretKey(config, store);
  if (!(await isBoxOf(new SecretBox(key), store.secretKeySeal))) throw secretKeyWrong();
  return key;
}

/** As it is set or kept, whatever the store was sealed with. @throws {ConfigError} when it is gone */
export async function givenSecretKey(
  { secrets, dataFolder }: KeyConfig,
  { identities }: Pick<KeyedStore, 'identities'>,
): Promise<string> {
  const newKey = async () => {
    if ((await identities.countTenants()) > 0) throw secretKeyMissing();
    return randomIds.secret(32);
  };
  const key = secrets.secretKey ?? (await keepSecretKey(dataFolder, newKey));
  return key.reveal();
}
