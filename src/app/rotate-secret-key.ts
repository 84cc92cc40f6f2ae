import { type ResealResult, resealAll } from '../access/reseal.ts';
import { SecretBox } from '../access/secret-box.ts';
import type { Config } from '../config/config.ts';
import { adoptNextKey, keepNextSecretKey } from '../config/secret-key.ts';
import type { Ids } from '../kernel/ids.ts';
import type { MetadataStore } from '../metadata/open-metadata.ts';
import { CommandError } from './cli/command-error.ts';
import { boxOf, secretKeysOf } from './secret-key-of.ts';

export interface RotationDeps {
  config: Config;
  metadata: MetadataStore;
  ids: Ids;
  /** Whether a program runs on the data folder. */
  isRunning: () => Promise<boolean>;
}

/** Where the new key is: in a variable, or in the data folder. */
export type RotationResult = ResealResult & { key: 'set' | 'kept' };

/**
 * Seals all secrets with the new key, in one transaction. A key that is set has to come with the previous one; a key
 * that is kept in the data folder is replaced by a new one.
 *
 * @throws {CommandError} when the previous key is not given, or a running program would be left with it
 * @throws {ConfigError} when neither key is the store's
 */
export async function rotateSecretKey({ config, metadata, ids, isRunning }: RotationDeps): Promise<RotationResult> {
  if (config.secrets.secretKey && !config.secrets.previousSecretKey) {
    throw new CommandError(
      'Set SIGNALBOX_SECRET_KEY to the new key and SIGNALBOX_PREVIOUS_SECRET_KEY to the present one, for this command and for every process.',
    );
  }
  const keys = await secretKeysOf(config, metadata);
  if (config.secrets.secretKey) {
    return { ...(await reseal(metadata, boxOf(keys))), key: 'set' };
  }
  if (await isRunning()) {
    throw new CommandError('Stop the program first: it has read the present key from the data folder.');
  }
  const next = await keepNextSecretKey(config.dataFolder, () => ids.secret(32));
  const result = await reseal(metadata, new SecretBox(next.reveal(), keys.current));
  await adoptNextKey(config.dataFolder);
  return { ...result, key: 'kept' };
}

function reseal(metadata: MetadataStore, box: SecretBox): Promise<ResealResult> {
  return metadata.transaction((inside) => resealAll(box, inside));
}
