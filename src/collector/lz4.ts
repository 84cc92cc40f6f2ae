import { GrowingOutput } from './growing-output.ts';
import { MalformedPayloadError, PayloadTooLargeError } from './intake-errors.ts';

const frameMagic = 0x184d2204;
const skippableMagic = 0x184d2a50;
const endMark = 0;
const storedFlag = 0x80000000;
const checksumBytes = 4;

/** A block that is being decompressed. */
interface OpenBlock {
  block: Buffer;
  output: GrowingOutput;
  /** Where in the output its frame begins, or itself where blocks are independent: copies reach back no further. */
  begin: number;
}

/**
 * A body of lz4 frames, decompressed. Checksums are left to TCP, as zstd's are. Throws `PayloadTooLargeError` beyond
 * `limit`, `MalformedPayloadError` for anything but lz4.
 */
export function decompressLz4(bytes: Buffer, limit: number): Buffer {
  const output = new GrowingOutput(limit);
  for (let at = 0; at < bytes.length; ) {
    const magic = uint32At(bytes, at);
    const isSkippable = (magic & 0xfffffff0) >>> 0 === skippableMagic;
    if (!isSkippable && magic !== frameMagic) throw malformed();
    at = isSkippable ? at + 8 + uint32At(bytes, at + 4) : readFrame(bytes, at + 4, output, limit);
    if (at > bytes.length) throw malformed();
  }
  return output.take();
}

interface FrameDescriptor {
  areBlocksIndependent: boolean;
  blockTailBytes: number;
  frameTailBytes: number;
  /** Of what it holds; 0 = it does not say. */
  contentBytes: number;
  end: number;
}

/** Returns where the frame whose descriptor begins at `start` ends. */
function readFrame(bytes: Buffer, start: number, output: GrowingOutput, limit: number): number {
  const frame = readDescriptor(bytes, start);
  const frameBegin = output.length;
  if (frameBegin + frame.contentBytes > limit) {
    throw new PayloadTooLargeError(`a body in lz4 may expand to ${limit} bytes`);
  }
  for (let at = frame.end; ; ) {
    const header = uint32At(bytes, at);
    at += 4;
    if (header === endMark) return at + frame.frameTailBytes;
    const size = header & ~storedFlag;
    if (at + size > bytes.length) throw malformed();
    const begin = frame.areBlocksIndependent ? output.length : frameBegin;
    if (header >= storedFlag) output.append(bytes, at, at + size);
    else readBlock({ block: bytes.subarray(at, at + size), output, begin });
    at += size + frame.blockTailBytes;
  }
}

function readDescriptor(bytes: Buffer, start: number): FrameDescriptor {
  const flags = byteAt(bytes, start);
  const [hasDictionary, isVersionOne] = [(flags & 1) !== 0, flags >> 6 === 1];
  // Only the sender knows the contents of a dictionary.
  if (!isVersionOne || hasDictionary) throw malformed();
  const hasContentBytes = (flags & 8) !== 0;
  return {
    areBlocksIndependent: (flags & 32) !== 0,
    blockTailBytes: (flags & 16) === 0 ? 0 : checksumBytes,
    frameTailBytes: (flags & 4) === 0 ? 0 : checksumBytes,
    contentBytes: hasContentBytes ? uint32At(bytes, start + 2) + uint32At(bytes, start + 6) * 2 ** 32 : 0,
    end: start + 3 + (hasContentBytes ? 8 : 0),
  };
}

/** Sequences: bytes as they are, then a copy of earlier ones, which only the last sequence lacks. */
function readBlock({ block, output, begin }: OpenBlock): void {
  for (let at = 0; at < block.length; ) {
    const token = byteAt(block, at);
    const [literals, start] = readLength(block, at + 1, token >> 4);
    at = start + literals;
    if (at > block.length) throw malformed();
    output.append(block, start, at);
    if (at === block.length) return;
    const distance = byteAt(block, at) | (byteAt(block, at + 1) << 8);
    const [count, next] = readLength(block, at + 2, token & 15);
    if (distance === 0 || distance > output.length - begin) throw malformed();
    output.repeat(distance, count + 4);
    at = next;
  }
}

/** Four bits of the token; 15 continues in bytes, for as long as these are 255. */
function readLength(block: Buffer, at: number, nibble: number): [length: number, next: number] {
  if (nibble < 15) return [nibble, at];
  let length = nibble;
  for (let next = at; ; next++) {
    const byte = byteAt(block, next);
    length += byte;
    if (byte !== 255) return [length, next + 1];
  }
}

function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw malformed();
  return byte;
}

function uint32At(bytes: Buffer, at: number): number {
  if (at + 4 > bytes.length) throw malformed();
  return bytes.readUInt32LE(at);
}

function malformed(): MalformedPayloadError {
  return new MalformedPayloadError('the body is not valid lz4, though its encoding says so');
}
