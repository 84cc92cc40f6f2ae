import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** What a restore replaces in a data folder. */
const storeNames = ['telemetry', 'metadata.db', 'metadata.db-wal', 'metadata.db-shm'] as const;
const stagingPrefix = 'restoring-';

/**
 * Restored stores are made in a folder inside the data folder, on the same file system, and moved into place when they
 * are complete: a restore that fails has changed nothing.
 */
export class RestoreTarget {
  readonly #dataFolder: string;
  /** Looks like a data folder while it is filled. */
  readonly staging: string;

  private constructor(dataFolder: string, id: string) {
    this.#dataFolder = dataFolder;
    this.staging = join(dataFolder, `${stagingPrefix}${id}`);
  }

  /** Makes the data folder when there is none, and removes what an interrupted restore left in it. */
  static async open(dataFolder: string, id: string): Promise<RestoreTarget> {
    await mkdir(dataFolder, { recursive: true });
    for (const name of await readdir(dataFolder)) {
      if (name.startsWith(stagingPrefix)) await rm(join(dataFolder, name), { recursive: true, force: true });
    }
    const target = new RestoreTarget(dataFolder, id);
    await mkdir(target.staging, { mode: 0o700 });
    return target;
  }

  /** Moves the staged stores into place; answers the folder that what they replace was moved to, if there was anything. */
  async commit(nowMs: number): Promise<string | undefined> {
    const replaced = join(this.#dataFolder, `replaced-${new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-')}`);
    for (const name of storeNames) {
      const isStaged = existsSync(join(this.staging, name));
      // Left-overs of the log belong to the file that they are beside.
      const isReplaced = isStaged || (name.startsWith('metadata.db-') && existsSync(join(this.staging, 'metadata.db')));
      const present = join(this.#dataFolder, name);
      if (isReplaced && existsSync(present)) {
        await mkdir(replaced, { recursive: true, mode: 0o700 });
        await rename(present, join(replaced, name));
      }
    }
    for (const name of storeNames) {
      if (existsSync(join(this.staging, name))) await rename(join(this.staging, name), join(this.#dataFolder, name));
    }
    return existsSync(replaced) ? replaced : undefined;
  }

  /** Removes the staging folder. */
  async close(): Promise<void> {
    await rm(this.staging, { recursive: true, force: true });
  }
}
