import { createWriteStream, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
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

  /** `owner` names this data folder's files, so that left-overs of a killed child are swept by its successor alone. */
  constructor(dataDir: string, owner: string) {
    this.#folder = roomySharedMemory() ? sharedMemory : join(dataDir, 'tmp');
    this.#prefix = `${prefix}${owner}-`;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#sweep(this.#folder);
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
    for (const name of readdirSync(folder)) {
      if (name.startsWith(this.#prefix)) rmSync(join(folder, name), { force: true });
    }
  }
}

function roomySharedMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(sharedMemory);
    return bavail * bsize >= sharedMemoryFreeMin;
  } catch {
    return false;
  }
}
