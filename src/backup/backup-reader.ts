import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupError } from './backup-error.ts';
import { type Checksums, checksumsFile, parseChecksums } from './checksums.ts';
import { copyHashed, hashFile } from './hashed-copy.ts';
import { type BackupManifest, manifestFile, parseManifest } from './manifest.ts';

/** A complete backup. Nothing of it is handed out whose checksum is wrong. */
export class BackupReader {
  readonly manifest: BackupManifest;
  readonly #folder: string;
  readonly #checksums: Checksums;

  private constructor(folder: string, checksums: Checksums, manifest: BackupManifest) {
    this.#folder = folder;
    this.#checksums = checksums;
    this.manifest = manifest;
  }

  /** @throws {BackupError} when it is no backup, an incomplete or damaged one, or one of a later format */
  static async open(folder: string): Promise<BackupReader> {
    const text = await readFile(join(folder, checksumsFile), 'utf8').catch(() => undefined);
    if (text === undefined) throw new BackupError(`${folder} holds no complete backup: ${checksumsFile} is missing.`);
    const checksums = parseChecksums(text);
    await check(folder, checksums, manifestFile);
    const manifest = parseManifest(await readFile(join(folder, manifestFile), 'utf8'));
    return new BackupReader(folder, checksums, manifest);
  }

  /** Paths of the files below a folder of the backup. */
  filesBelow(path: string): string[] {
    return [...this.#checksums.keys()].filter((file) => file.startsWith(`${path}/`));
  }

  /** @throws {BackupError} when it is missing or was changed */
  check(path: string): Promise<void> {
    return check(this.#folder, this.#checksums, path);
  }

  /** @throws {BackupError} when it is missing or was changed; the copy may be there nevertheless */
  async copyOut(path: string, to: string): Promise<void> {
    const { sha256 } = await copyHashed(join(this.#folder, path), to).catch(missing(path));
    if (sha256 !== this.#checksums.get(path)) throw damaged(path);
  }

  /** The lines of a file that has been checked. */
  lines(path: string): AsyncIterable<string> {
    return linesOf(createReadStream(join(this.#folder, path), 'utf8'));
  }
}

/** By line feeds only: a row may contain the other characters that end a line. */
async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

async function check(folder: string, checksums: Checksums, path: string): Promise<void> {
  const { sha256 } = await hashFile(join(folder, path)).catch(missing(path));
  if (sha256 !== checksums.get(path)) throw damaged(path);
}

/** Other errors, of the target for instance, are not the backup's. */
function missing(path: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw damaged(path);
    throw error;
  };
}

function damaged(path: string): BackupError {
  return new BackupError(`The backup is damaged: ${path} is missing or was changed.`);
}
