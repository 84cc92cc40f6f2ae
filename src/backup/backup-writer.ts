import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupError } from './backup-error.ts';
import { checksumsFile, renderChecksums } from './checksums.ts';
import { copyHashed } from './hashed-copy.ts';
import { type BackupManifest, manifestFile } from './manifest.ts';

/** Buffered lines are written in pieces of about this many characters. */
const pieceCharacters = 1024 * 1024;

/** Fills a new folder. It is a backup from `finish` on, and not before. */
export class BackupWriter {
  readonly #folder: string;
  /** Names that were made here, for taking them back. */
  readonly #made = new Set<string>();
  readonly #checksums = new Map<string, string>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes the folder, readable by its owner only. @throws {BackupError} if there is something in it */
  static async create(folder: string): Promise<BackupWriter> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if ((await readdir(folder)).length > 0) {
      throw new BackupError(`The folder ${folder} is not empty; give a new folder for each backup.`);
    }
    return new BackupWriter(folder);
  }

  /** @throws {BackupError} when the disk has no room for that much */
  async requireRoom(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(this.#folder);
    if (bavail * bsize >= bytes) return;
    const [needed, free] = [bytes, bavail * bsize].map((count) => Math.ceil(count / 1e6));
    throw new BackupError(`The backup needs ${needed} MB, and only ${free} MB are free in ${this.#folder}.`);
  }

  async copyIn(from: string, path: string): Promise<void> {
    this.#note(path);
    const { sha256 } = await copyHashed(from, join(this.#folder, path));
    this.#checksums.set(path, sha256);
  }

  /** A file of lines; `write` is called with a function that adds one. */
  async writeLines<T>(path: string, write: (add: (line: string) => Promise<void>) => Promise<T>): Promise<T> {
    this.#note(path);
    const file = await open(join(this.#folder, path), 'wx', 0o600);
    const hash = createHash('sha256');
    let piece = '';
    const flush = async () => {
      const bytes = Buffer.from(piece);
      piece = '';
      hash.update(bytes);
      await file.writeFile(bytes);
    };
    try {
      const outcome = await write(async (line) => {
        piece += `${line}\n`;
        if (piece.length >= pieceCharacters) await flush();
      });
      await flush();
      await file.sync();
      this.#checksums.set(path, hash.digest('hex'));
      return outcome;
    } finally {
      await file.close();
    }
  }

  async finish(manifest: BackupManifest): Promise<void> {
    await this.writeLines(manifestFile, (add) => add(JSON.stringify(manifest)));
    await this.writeLines(checksumsFile, (add) => add(renderChecksums(this.#checksums).trimEnd()));
  }

  /** Removes what was written. */
  async abandon(): Promise<void> {
    for (const name of this.#made) await rm(join(this.#folder, name), { recursive: true, force: true });
  }

  #note(path: string): void {
    this.#made.add(path.split('/')[0] ?? path);
  }
}
