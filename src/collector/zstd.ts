import { Decompress } from 'fzstd';
import { MalformedPayloadError, PayloadTooLargeError } from './intake-errors.ts';

const frameMagic = 0xfd2fb528;
const skippableMagic = 0x184d2a50;
/** Twice what every decoder has to hold (RFC 8878): encoders stay below it unless they compress as hard as they can. */
const windowBytesMax = 16 << 20;
/** Senders write one; each may cost a window, however little is in it. */
const framesMax = 16;

/**
 * A body of zstd frames, decompressed. What a frame says that it needs is checked before anything is allocated for it.
 * Throws `PayloadTooLargeError` beyond `limit`, `MalformedPayloadError` for anything but zstd.
 */
export function decompressZstd(bytes: Buffer, limit: number): Buffer {
  try {
    return decompressFrames(bytes, limit);
  } catch (error) {
    if (error instanceof PayloadTooLargeError) throw error;
    throw new MalformedPayloadError('the body is not valid zstd, though its encoding says so');
  }
}

function decompressFrames(bytes: Buffer, limit: number): Buffer {
  checkFrames(bytes, limit);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const decoder = new Decompress((chunk) => {
    length += chunk.length;
    if (length > limit) throw tooLarge(limit);
    chunks.push(chunk.slice());
  });
  decoder.push(bytes, true);
  return Buffer.concat(chunks, length);
}

function tooLarge(limit: number): PayloadTooLargeError {
  return new PayloadTooLargeError(
    `a body in zstd may expand to ${limit} bytes here, with a window of ${windowBytesMax}`,
  );
}

function checkFrames(bytes: Buffer, limit: number): void {
  let frames = 0;
  for (let at = 0; at < bytes.length; at = frameEnd(bytes, at, limit)) {
    if (++frames > framesMax) throw new PayloadTooLargeError(`a body in zstd has at most ${framesMax} frames`);
  }
}

function frameEnd(bytes: Buffer, start: number, limit: number): number {
  const magic = bytes.readUInt32LE(start);
  if ((magic & 0xfffffff0) >>> 0 === skippableMagic) return start + 8 + bytes.readUInt32LE(start + 4);
  if (magic !== frameMagic) throw new MalformedPayloadError('not a zstd frame');
  const descriptor = bytes.readUInt8(start + 4);
  const isSingleSegment = (descriptor & 32) !== 0;
  let at = start + 5;
  if (!isSingleSegment && windowBytes(bytes.readUInt8(at++)) > windowBytesMax) throw tooLarge(limit);
  at += [0, 1, 2, 4][descriptor & 3] ?? 0;
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  if (contentBytes(bytes, at, sizeBytes) > limit) throw tooLarge(limit);
  return blocksEnd(bytes, at + sizeBytes) + ((descriptor & 4) === 0 ? 0 : 4);
}

function windowBytes(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

function contentBytes(bytes: Buffer, at: number, size: number): number {
  if (size === 0) return 0;
  if (size === 8) return Number(bytes.readBigUInt64LE(at));
  return bytes.readUIntLE(at, size) + (size === 2 ? 256 : 0);
}

/** Where the blocks that begin at `start` end; each says how long it is. */
function blocksEnd(bytes: Buffer, start: number): number {
  for (let at = start; ; ) {
    const header = bytes.readUIntLE(at, 3);
    const isRepeatedByte = ((header >> 1) & 3) === 1;
    at += 3 + (isRepeatedByte ? 1 : header >> 3);
    if ((header & 1) === 1) return at;
  }
}
