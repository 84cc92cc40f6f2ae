import { isBoxOf } from '../access/seal-check.ts';
import { SecretBox } from '../access/secret-box.ts';
import type { Config } from '../config/config.ts';
import {
  adoptNextKey,
  findNextSecretKey,
  keepSecretKey,
  secretKeyMissing,
  secretKeyWrong,
} from '../config/secret-key.ts';
import { randomIds } from '../kernel/ids.ts';
import type { MetadataStore } from '../metadata/open-metadata.ts';

type KeyedStore = Pick<MetadataStore, 'identities' | 'secretKeySeal'>;
type KeyConfig = Pick<Config, 'secrets' | 'dataFolder'>;

/** The key that seals stored secrets, and while it is rotated the one before. */
export interface SecretKeys {
  current: string;
  previous?: string;
}

export function boxOf({ current, previous }: SecretKeys): SecretBox {
  return new SecretBox(current, previous);
}

/**
 * The keys that are set, else the one kept in the data folder.
 * @throws {ConfigError} when the store is in use and its key is gone, or is another one: what was sealed would be lost
 */
export async function secretKeysOf(config: KeyConfig, store: KeyedStore): Promise<SecretKeys> {
  const keys = await givenSecretKeys(config, store);
  if (await isBoxOf(boxOf(keys), store.secretKeySeal)) return keys;
  const next = config.secrets.secretKey ? undefined : await findNextSecretKey(config.dataFolder);
  if (!next || !(await isBoxOf(new SecretBox(next.reveal()), store.secretKeySeal))) throw secretKeyWrong();
  // A rotation was interrupted between its commit and its end.
  await adoptNextKey(config.dataFolder);
  return { current: next.reveal() };
}

/** As they are set or kept, whatever the store was sealed with. @throws {ConfigError} when the key is gone */
export async function givenSecretKeys(
  { secrets, dataFolder }: KeyConfig,
  { identities }: Pick<KeyedStore, 'identities'>,
): Promise<SecretKeys> {
  const newKey = async () => {
    if ((await identities.countTenants()) > 0) throw secretKeyMissing();
    return randomIds.secret(32);
  };
  const key = secrets.secretKey ?? (await keepSecretKey(dataFolder, newKey));
  const previous = secrets.previousSecretKey?.reveal();
  return { current: key.reveal(), ...(previous !== undefined && { previous }) };
}
