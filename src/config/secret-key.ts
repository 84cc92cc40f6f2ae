import { randomUUID } from 'node:crypto';
import { chmod, copyFile, link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from './config-error.ts';
import { Secret } from './secrets.ts';

const fileName = 'secret-key';

/**
 * The key kept in the data folder, made at the first start with mode 600 (interface: SIGNALBOX_SECRET_KEY). The file
 * appears whole or not at all, and of two processes that start together both end up with the same key.
 * @throws {ConfigError} when the file is there but holds no key: a new one would make the stored secrets unreadable
 */
export async function keepSecretKey(dataFolder: string, newKey: () => string | Promise<string>): Promise<Secret> {
  const file = join(dataFolder, fileName);
  return (await readKey(file)) ?? (await makeKey(dataFolder, file, await newKey()));
}

/** The key kept in the data folder, if there is one. @throws {ConfigError} when its file holds no key */
export function findSecretKey(dataFolder: string): Promise<Secret | undefined> {
  return readKey(join(dataFolder, fileName));
}

/** Of a rotation that has begun and not ended. */
const nextName = `${fileName}.next`;
const previousName = `${fileName}.previous`;

/** The key that replaces the kept one: made by the first call, and kept until `adoptNextKey`. */
export async function keepNextSecretKey(dataFolder: string, newKey: () => string): Promise<Secret> {
  const file = join(dataFolder, nextName);
  return (await readKey(file)) ?? (await makeKey(dataFolder, file, newKey()));
}

/** The key of a rotation that was interrupted, if there is one. */
export function findNextSecretKey(dataFolder: string): Promise<Secret | undefined> {
  return readKey(join(dataFolder, nextName));
}

/** Everything is sealed with the next key by now: it becomes the kept one, which stays beside it for older backups. */
export async function adoptNextKey(dataFolder: string): Promise<void> {
  const file = join(dataFolder, fileName);
  await copyFile(file, join(dataFolder, previousName));
  await rename(join(dataFolder, nextName), file);
}

export function secretKeyMissing(): ConfigError {
  return new ConfigError(
    `SIGNALBOX_SECRET_KEY is unset and the file ${fileName} is missing in SIGNALBOX_DATA_DIR, although the store is in use; restore that file, or set the variable to its previous content. To continue without the encrypted secrets, put a new key of at least 40 characters there and run: signalbox secret-key accept`,
  );
}

export function secretKeyWrong(): ConfigError {
  return new ConfigError(
    `The secret key (SIGNALBOX_SECRET_KEY, else the file ${fileName} in SIGNALBOX_DATA_DIR) is not the key that encrypted the secrets in this store; restore the previous key. To continue without these secrets, run: signalbox secret-key accept`,
  );
}

async function readKey(file: string): Promise<Secret | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    // The error of a failed read does not name its file.
    throw Object.assign(error, { path: file });
  });
  if (text === undefined) return undefined;
  if (text.trim().length < 40) {
    throw new ConfigError(
      `SIGNALBOX_SECRET_KEY is unset and the file ${fileName} in SIGNALBOX_DATA_DIR contains no key; restore that file, or set the variable to its previous content.`,
    );
  }
  await chmod(file, 0o600);
  return new Secret(text.trim());
}

async function makeKey(dataFolder: string, file: string, key: string): Promise<Secret> {
  await mkdir(dataFolder, { recursive: true });
  const draft = `${file}.${randomUUID()}.new`;
  const handle = await open(draft, 'w', 0o600);
  try {
    await handle.writeFile(`${key}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  // A volume without hard links can only rename, which would let the later of two racing processes win.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') return rename(draft, file);
  });
  await rm(draft, { force: true });
  return (await readKey(file)) ?? new Secret(key);
}
