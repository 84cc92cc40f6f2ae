import { readVarint } from '../kernel/varint.ts';
import { GrowingOutput } from './growing-output.ts';
import { MalformedPayloadError, PayloadTooLargeError } from './intake-errors.ts';

/** A stream in the framing format begins so; no block can, as its first copy would reach back before its beginning. */
const streamIdentifier = Buffer.from([0xff, 0x06, 0x00, 0x00, 0x73, 0x4e, 0x61, 0x50, 0x70, 0x59]);
const checksumBytes = 4;
const chunkBytesMax = 65_536;

/**
 * A body in snappy, decompressed: a stream of frames or one block. Collectors of different ages and gRPC call both
 * `snappy`. Checksums of frames are left to TCP, as zstd's are. Throws `PayloadTooLargeError` beyond `limit`,
 * `MalformedPayloadError` for anything but snappy.
 */
export function decompressSnappy(bytes: Buffer, limit: number): Buffer {
  const output = new GrowingOutput(limit);
  if (bytes.subarray(0, streamIdentifier.length).equals(streamIdentifier)) readFrames(bytes, output, limit);
  else readBlock(bytes, output, limit);
  return output.take();
}

function readFrames(bytes: Buffer, output: GrowingOutput, limit: number): void {
  for (let at = 0; at < bytes.length; ) {
    if (at + 4 > bytes.length) throw malformed();
    const [kind, start] = [bytes.readUInt8(at), at + 4];
    at = start + bytes.readUIntLE(at + 1, 3);
    if (at > bytes.length) throw malformed();
    const isSkippable = kind >= 0x80;
    if (isSkippable) continue;
    if (kind > 1 || at - start < checksumBytes) throw malformed();
    const content = bytes.subarray(start + checksumBytes, at);
    if (kind === 0) readBlock(content, output, Math.min(limit, output.length + chunkBytesMax));
    else output.append(content, 0, content.length);
  }
}

/** A block says first how long it becomes, which must not carry `output` beyond `lengthMax`. */
function readBlock(block: Buffer, output: GrowingOutput, lengthMax: number): void {
  const length = readVarint(block, 0);
  if (!length) throw malformed();
  const [begin, end] = [output.length, output.length + length.value];
  if (end > lengthMax) throw new PayloadTooLargeError(`a body in snappy may expand to ${lengthMax} bytes`);
  for (let at = length.end; at < block.length; ) at = readElement(block, at, { output, begin, end });
  if (output.length !== end) throw malformed();
}

interface BlockOutput {
  output: GrowingOutput;
  /** Where in `output` the block begins, before which its copies do not reach. */
  begin: number;
  end: number;
}

/** Writes the literal or copy at `at`, and returns where the next one is. */
function readElement(block: Buffer, at: number, { output, begin, end }: BlockOutput): number {
  const tag = byteAt(block, at);
  const kind = tag & 3;
  if (kind === 0) {
    const [length, start] = literalLength(block, at, tag >> 2);
    if (start + length > block.length || output.length + length > end) throw malformed();
    output.append(block, start, start + length);
    return start + length;
  }
  const offsetBytes = kind === 3 ? 4 : kind;
  const length = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
  const low = uintAt(block, at + 1, offsetBytes);
  const distance = kind === 1 ? ((tag >> 5) << 8) | low : low;
  if (distance === 0 || distance > output.length - begin || output.length + length > end) throw malformed();
  output.repeat(distance, length);
  return at + 1 + offsetBytes;
}

function literalLength(block: Buffer, at: number, code: number): [length: number, start: number] {
  if (code < 60) return [code + 1, at + 1];
  const size = code - 59;
  return [uintAt(block, at + 1, size) + 1, at + 1 + size];
}

function byteAt(block: Buffer, at: number): number {
  const byte = block[at];
  if (byte === undefined) throw malformed();
  return byte;
}

function uintAt(block: Buffer, at: number, size: number): number {
  if (at + size > block.length) throw malformed();
  return block.readUIntLE(at, size);
}

function malformed(): MalformedPayloadError {
  return new MalformedPayloadError('the body is not valid snappy, though its encoding says so');
}
