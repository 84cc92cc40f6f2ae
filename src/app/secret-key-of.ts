import type { Config } from '../config/config.ts';
import { keepSecretKey } from '../config/secret-key.ts';
import { randomIds } from '../kernel/ids.ts';

/** The key that seals stored secrets: the setting, else the one kept in the data folder. */
export async function secretKeyOf(config: Pick<Config, 'secrets' | 'dataFolder'>): Promise<string> {
  const key = config.secrets.secretKey ?? (await keepSecretKey(config.dataFolder, () => randomIds.secret(32)));
  return key.reveal();
}
