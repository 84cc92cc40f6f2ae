import { access, constants, mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { StartError } from './start-error.ts';

/**
 * Makes the data folder if there is none; answers its absolute path.
 * @throws {StartError} when it can't be made or written to
 */
export async function openDataFolder(path: string): Promise<string> {
  const folder = resolve(path);
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK | constants.X_OK);
    return folder;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new StartError(`SIGNALBOX_DATA_DIR must name a writable folder; ${folder} is not writable (${code}).`);
  }
}
