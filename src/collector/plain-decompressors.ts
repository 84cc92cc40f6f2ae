import type { PlainCompression } from './content-encoding.ts';
import { decompressLz4 } from './lz4.ts';
import { decompressSnappy } from './snappy.ts';
import { decompressZstd } from './zstd.ts';

const decompressors: Readonly<Record<PlainCompression, (bytes: Buffer, limit: number) => Buffer>> = {
  zstd: decompressZstd,
  snappy: decompressSnappy,
  lz4: decompressLz4,
};

/** Throws `PayloadTooLargeError` beyond `limit`, `MalformedPayloadError` for any other format. */
export function decompressPlain(compression: PlainCompression, bytes: Buffer, limit: number): Buffer {
  return decompressors[compression](bytes, limit);
}
