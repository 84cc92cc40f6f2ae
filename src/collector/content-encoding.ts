import { promisify } from 'node:util';
import { gunzip, inflate, inflateRaw } from 'node:zlib';
import { MalformedPayloadError, PayloadTooLargeError } from './intake-errors.ts';

/** Compressions of OTLP senders that are taken, by their names in `Content-Encoding` and `grpc-encoding`. */
const compressions = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  zlib: 'deflate',
  zstd: 'zstd',
  snappy: 'snappy',
  'x-snappy-framed': 'snappy',
  lz4: 'lz4',
} as const;

export type Compression = (typeof compressions)[keyof typeof compressions];

/** Those that Node.js does not know, or not in every version that we run on: plain JavaScript decompresses them. */
export type PlainCompression = Exclude<Compression, 'gzip' | 'deflate'>;

export const takenEncodings = 'gzip, deflate, zstd, snappy, x-snappy-framed, lz4 or identity';

/** Compressions inside each other, at most. */
const layersMax = 2;
/** Telemetry shrinks to a tenth, one line that is repeated to a fiftieth; what expands further was made to. */
const expansionMax = 64;
/** Enough for a Collector's usual batch of 8,192 records at any ratio: refusing it would lose it. */
const inflatedBytesAlways = 16 << 20;

const gunzipAsync = promisify(gunzip);
const inflateAsync = promisify(inflate);
const inflateRawAsync = promisify(inflateRaw);

/** The compressions of a list like `identity, gzip`, in the order in which they were applied; `undefined` = one we don't take. */
export function parseEncodings(header: string | undefined): Compression[] | undefined {
  const found: Compression[] = [];
  for (const part of (header ?? '').split(',')) {
    const name = part.trim().toLowerCase();
    if (name === '' || name === 'identity') continue;
    if (!isTaken(name)) return undefined;
    found.push(compressions[name]);
  }
  return found.length > layersMax ? undefined : found;
}

export interface CompressedBody {
  received: Buffer;
  encodings: readonly Compression[];
  bytesMax: number;
}

type Inflate = (bytes: Buffer, limit: number) => Promise<Buffer>;
type InflatePlain = (compression: PlainCompression, bytes: Buffer, limit: number) => Promise<Buffer>;

/**
 * The bytes as they were before they were compressed; never more than a multiple of what was received, nor than
 * `bytesMax`. `plain` does in plain JavaScript, wherever it likes, what Node.js does for gzip and deflate in threads of
 * its own. Throws `PayloadTooLargeError`, `MalformedPayloadError` and what `plain` throws.
 */
export async function decompress(
  { received, encodings, bytesMax }: CompressedBody,
  plain: InflatePlain,
): Promise<Buffer> {
  const limit = Math.min(bytesMax, Math.max(inflatedBytesAlways, received.length * expansionMax));
  let bytes = received;
  for (const encoding of encodings.toReversed()) {
    const isPlain = encoding !== 'gzip' && encoding !== 'deflate';
    bytes = isPlain ? await plain(encoding, bytes, limit) : await decompressLayer(bytes, encoding, limit);
  }
  return bytes;
}

async function decompressLayer(bytes: Buffer, encoding: 'gzip' | 'deflate', limit: number): Promise<Buffer> {
  const size = bytes.length;
  try {
    return await inflaters[encoding](bytes, limit);
  } catch (error) {
    if (error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') {
      throw new PayloadTooLargeError(
        `a body of ${size} bytes may expand to ${limit} bytes, and this one does not end there`,
      );
    }
    throw new MalformedPayloadError(`the body is not valid ${encoding}, though its encoding says so`);
  }
}

const inflaters: Readonly<Record<'gzip' | 'deflate', Inflate>> = {
  gzip: (bytes, limit) => gunzipAsync(bytes, { maxOutputLength: limit }),
  deflate: (bytes, limit) => {
    // Some senders leave out zlib's two bytes in front; with them, these are a multiple of 31.
    const hasHeader = ((bytes[0] ?? 0) & 15) === 8 && bytes.length > 1 && bytes.readUInt16BE(0) % 31 === 0;
    return hasHeader
      ? inflateAsync(bytes, { maxOutputLength: limit })
      : inflateRawAsync(bytes, { maxOutputLength: limit });
  },
};

function isTaken(name: string): name is keyof typeof compressions {
  return Object.hasOwn(compressions, name);
}
