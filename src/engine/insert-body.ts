import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export const sharedMemory = '/dev/shm';
const sharedMemoryFreeMin = 512 * 1024 * 1024;
const prefix = 'signalbox-insert-';
/** After a body did not fit although there seemed to be room. */
const avoidFullForMs = 30_000;

export interface InsertPlaces {
  /** In the data folder; ours alone. */
  own: string;
  /** Faster, but shared with every other program; used while it has room. Absent = there is none. */
  shared?: string;
  /** Names this data folder's files among those of others. */
  owner: string;
  isRoomy?: (folder: string) => boolean;
}

/**
 * Insert data goes to the engine through a file, never inside the statement: inline data ends at its first empty line,
 * and chDB runs whatever follows as SQL.
 */
export class InsertBodies {
  readonly #own: string;
  readonly #shared: string | undefined;
  readonly #isRoomy: (folder: string) => boolean;
  #avoidSharedUntilMs = 0;

  /** Left-overs of a killed child are swept from both places. */
  constructor({ own, shared, owner, isRoomy = hasRoom }: InsertPlaces) {
    const ownPrefix = `${prefix}${owner}-`;
    this.#isRoomy = isRoomy;
    mkdirSync(own, { recursive: true, mode: 0o700 });
    sweep(own, ownPrefix);
    if (shared !== undefined) sweep(shared, ownPrefix);
    this.#own = makePrivateFolder(own, ownPrefix) ?? own;
    this.#shared = shared === undefined ? undefined : makePrivateFolder(shared, ownPrefix);
  }

  /** Receives `body` whole, hands its file to `use`, and removes the file whatever happens. */
  async withFile<T>(body: Readable, use: (path: string) => Promise<T>): Promise<T> {
    const folder = this.#folder();
    // An unguessable name, so that no other user can create it first.
    const path = join(folder, randomUUID());
    try {
      await pipeline(body, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      return await use(path);
    } catch (error) {
      // The sender's next try goes to the disk.
      if (folder === this.#shared && isFull(error)) this.#avoidSharedUntilMs = Date.now() + avoidFullForMs;
      throw error;
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Removes the folders; nothing may be under way. */
  close(): void {
    for (const folder of [this.#own, this.#shared]) if (folder) rmSync(folder, { recursive: true, force: true });
  }

  #folder(): string {
    const shared = this.#shared;
    return shared !== undefined && Date.now() >= this.#avoidSharedUntilMs && this.#isRoomy(shared) ? shared : this.#own;
  }
}

/** Folders for the insert files of a data folder. */
export function insertPlaces(dataDir: string): InsertPlaces {
  const owner = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return { own: join(dataDir, 'tmp'), shared: sharedMemory, owner };
}

/** With a random name, for us alone (mode 700); `undefined` where none can be made. */
function makePrivateFolder(inside: string, ownPrefix: string): string | undefined {
  try {
    return mkdtempSync(join(inside, ownPrefix));
  } catch {
    // There is no such place on some systems, or it is full.
    return undefined;
  }
}

/**
 * Anybody may have put something of our name into a shared place: only what is ours is touched, links never followed.
 */
function sweep(folder: string, ownPrefix: string): void {
  for (const name of listed(folder).filter((one) => one.startsWith(ownPrefix))) {
    const path = join(folder, name);
    try {
      if (lstatSync(path).uid === process.getuid?.()) rmSync(path, { recursive: true, force: true });
    } catch {
      // Gone meanwhile, or not ours to remove.
    }
  }
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= sharedMemoryFreeMin;
  } catch {
    return false;
  }
}

/** As the file system says it, or the engine, which may need room beside the file. */
function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}
