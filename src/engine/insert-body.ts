import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const sharedMemory = '/dev/shm';
const sharedMemoryFreeMin = 512 * 1024 * 1024;
const prefix = 'signalbox-insert-';

/**
 * Insert data goes to the engine through a file, never inside the statement: inline data ends at its first empty line,
 * and chDB runs whatever follows as SQL.
 */
export class InsertBodies {
  readonly #folder: string;
  readonly #prefix: string;
  #count = 0;

  /**
   * @param folders where files may stand, best first; left-overs of a killed child are swept from all of them
   * @param owner names this data folder's files: the first folder is shared with other programs
   */
  constructor(folders: readonly [string, ...string[]], owner: string) {
    [this.#folder] = folders;
    this.#prefix = `${prefix}${owner}-`;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    for (const folder of folders) this.#sweep(folder);
  }

  /** Receives `body` whole, hands its file to `use`, and removes the file whatever happens. */
  async withFile<T>(body: Readable, use: (path: string) => Promise<T>): Promise<T> {
    const path = join(this.#folder, `${this.#prefix}${++this.#count}`);
    try {
      await pipeline(body, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      return await use(path);
    } finally {
      await rm(path, { force: true });
    }
  }

  #sweep(folder: string): void {
    if (!existsSync(folder)) return;
    for (const name of readdirSync(folder)) {
      if (name.startsWith(this.#prefix)) rmSync(join(folder, name), { force: true });
    }
  }
}

/** Shared memory while it has room, else the data folder's own; both, so that both are swept. */
export function insertFolders(dataDir: string): [string, string] {
  const own = join(dataDir, 'tmp');
  return isRoomy(sharedMemory) ? [sharedMemory, own] : [own, sharedMemory];
}

/** Names the insert files of a data folder. */
export function insertOwner(dataDir: string): string {
  return createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
}

function isRoomy(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= sharedMemoryFreeMin;
  } catch {
    // There is no such folder on some systems.
    return false;
  }
}
