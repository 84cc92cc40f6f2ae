import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { Decompress } from 'fzstd';
import { SourceError } from '../source-port.ts';

export type Compression = 'none' | 'gzip' | 'brotli' | 'zstd';

const byName: Readonly<Record<string, Compression>> = {
  none: 'none',
  gzip: 'gzip',
  gz: 'gzip',
  brotli: 'brotli',
  br: 'brotli',
  zstd: 'zstd',
  zst: 'zstd',
};

export const compressionNames = ['auto', 'none', 'gzip', 'gz', 'brotli', 'br', 'zstd'] as const;

/** By the setting; with `auto` or none by the end of the object's name, then by its `Content-Encoding`. */
export function compressionOf(setting: string | undefined, key: string, encoding: string | undefined): Compression {
  if (setting !== undefined && setting !== 'auto') return byName[setting.toLowerCase()] ?? 'none';
  const ending = /\.([a-z]+)$/i.exec(key)?.[1]?.toLowerCase() ?? '';
  const known = Object.hasOwn(byName, ending) ? byName[ending] : undefined;
  return known ?? (encoding === undefined ? 'none' : (byName[encoding.toLowerCase()] ?? 'none'));
}

/** Throws `SourceError` for what is not compressed so. */
export async function* decompressed(
  chunks: AsyncIterable<Uint8Array>,
  compression: Compression,
): AsyncGenerator<Uint8Array> {
  if (compression === 'none') return yield* chunks;
  try {
    if (compression === 'zstd') return yield* unzstd(chunks);
    yield* through(chunks, compression === 'gzip' ? createGunzip() : createBrotliDecompress());
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError('rejected', `An object cannot be decompressed as ${compression}.`, error);
  }
}

function through(chunks: AsyncIterable<Uint8Array>, transform: Transform): AsyncIterable<Buffer> {
  // An error reaches the reader of the transform.
  return pipeline(Readable.from(chunks, { objectMode: false }), transform, () => {});
}

async function* unzstd(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  const stream = new Decompress((chunk) => ready.push(chunk));
  for await (const chunk of chunks) {
    stream.push(chunk);
    yield* ready;
    ready = [];
  }
  stream.push(new Uint8Array(0), true);
  yield* ready;
}
