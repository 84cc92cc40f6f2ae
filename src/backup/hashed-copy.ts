import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface HashedFile {
  bytes: number;
  /** In hex. */
  sha256: string;
}

/** Most files of a part are small: for those a stream costs more than their content. */
const wholeBytesMax = 1024 * 1024;

/** Copies a file into a new one, with its folders, and reads it only once for that and its checksum. */
export async function copyHashed(from: string, to: string): Promise<HashedFile> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  if ((await stat(from)).size > wholeBytesMax) return copyStreamed(from, to);
  const content = await readFile(from);
  await writeFile(to, content, { flag: 'wx', mode: 0o600 });
  return { bytes: content.byteLength, sha256: createHash('sha256').update(content).digest('hex') };
}

export async function hashFile(path: string): Promise<HashedFile> {
  const hashing = new Hashing();
  for await (const _ of hashing.through(createReadStream(path))) {
    // Only the sum is wanted.
  }
  return hashing.result();
}

async function copyStreamed(from: string, to: string): Promise<HashedFile> {
  const hashing = new Hashing();
  const target = createWriteStream(to, { flags: 'wx', mode: 0o600 });
  await pipeline(createReadStream(from), (source) => hashing.through(source), target);
  return hashing.result();
}

class Hashing {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  async *through(source: Readable): AsyncGenerator<Buffer> {
    const pieces: AsyncIterable<Buffer> = source;
    for await (const piece of pieces) {
      this.#hash.update(piece);
      this.#bytes += piece.byteLength;
      yield piece;
    }
  }

  result(): HashedFile {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}
