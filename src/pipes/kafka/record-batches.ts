import { gunzipSync } from 'node:zlib';
import { decompressPlain } from '../../collector/plain-decompressors.ts';

/** Header of a record batch (message format 2). */
export interface RecordBatch {
  baseOffset: number;
  /** Offset after the last one that the batch stands for, though compaction may have removed its record. */
  nextOffset: number;
  baseTimestampMs: number;
  maxTimestampMs: number;
  producerId: bigint;
  isTransactional: boolean;
  /** Of a control batch, whether it ends a transaction that was aborted. */
  control: 'none' | 'commit' | 'abort' | 'other';
  count: number;
  /** The records, decompressed. */
  records: Buffer;
  /** Where the next batch begins. */
  end: number;
}

/** The bytes are no record batch that can be read; nothing after it can be either. */
export class UnreadableBatchError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnreadableBatchError';
  }
}

const headBytes = 61;
const lengthAt = 8;
const bytesBeforeLength = 12;
/** What a batch may expand to: a batch of the usual 1 MiB, a hundred times over. */
const expandedBytesMax = 128 * 1024 ** 2;
const xerialMagic = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0]);

/** Header of the batch at `at` without its records; `undefined` when the bytes end first. */
export function peekBatch(bytes: Buffer, at: number): { nextOffset: number; end: number } | undefined {
  if (at + headBytes > bytes.length) return undefined;
  const end = at + bytesBeforeLength + bytes.readInt32BE(at + lengthAt);
  if (end > bytes.length) return undefined;
  return { nextOffset: Number(bytes.readBigInt64BE(at)) + bytes.readInt32BE(at + 23) + 1, end };
}

/** The batch at `at`; `undefined` when the bytes end first. Throws `UnreadableBatchError`. */
export function readBatch(bytes: Buffer, at: number): RecordBatch | undefined {
  const place = peekBatch(bytes, at);
  if (!place) return undefined;
  const { end, nextOffset } = place;
  if (bytes.readInt8(at + 16) !== 2 || end < at + headBytes)
    throw new UnreadableBatchError('an unknown message format');
  const attributes = bytes.readInt16BE(at + 21);
  const records = decompressed(attributes & 7, bytes.subarray(at + headBytes, end));
  return {
    baseOffset: Number(bytes.readBigInt64BE(at)),
    nextOffset,
    baseTimestampMs: Number(bytes.readBigInt64BE(at + 27)),
    maxTimestampMs: Number(bytes.readBigInt64BE(at + 35)),
    producerId: bytes.readBigInt64BE(at + 43),
    isTransactional: (attributes & 16) !== 0,
    control: (attributes & 32) === 0 ? 'none' : controlOf(records),
    count: bytes.readInt32BE(at + 57),
    records,
    end,
  };
}

/** The key of a control record is its version and its type. */
function controlOf(records: Buffer): RecordBatch['control'] {
  const cursor = new RecordCursor(records, 1);
  if (!cursor.next() || cursor.keyEnd - cursor.keyStart < 4) return 'other';
  const type = records.readInt16BE(cursor.keyStart + 2);
  return type === 0 ? 'abort' : type === 1 ? 'commit' : 'other';
}

function decompressed(compression: number, bytes: Buffer): Buffer {
  try {
    switch (compression) {
      case 0:
        return bytes;
      case 1:
        return gunzipSync(bytes, { maxOutputLength: expandedBytesMax });
      case 2:
        return decompressSnappy(bytes);
      case 3:
        return decompressPlain('lz4', bytes, expandedBytesMax);
      case 4:
        return decompressPlain('zstd', bytes, expandedBytesMax);
    }
  } catch {
    throw new UnreadableBatchError('compressed records that cannot be decompressed, or expand too far');
  }
  throw new UnreadableBatchError('an unknown compression');
}

/** Java's library cuts into blocks, each after its length; others write one block. */
function decompressSnappy(bytes: Buffer): Buffer {
  if (!bytes.subarray(0, xerialMagic.length).equals(xerialMagic))
    return decompressPlain('snappy', bytes, expandedBytesMax);
  const blocks: Buffer[] = [];
  let left = expandedBytesMax;
  for (let at = 16; at < bytes.length; ) {
    const start = at + 4;
    at = start + bytes.readInt32BE(at);
    const block = decompressPlain('snappy', bytes.subarray(start, at), left);
    left -= block.length;
    blocks.push(block);
  }
  return Buffer.concat(blocks);
}

/** Goes through the records of a batch without making an object of each. */
export class RecordCursor {
  offsetDelta = 0;
  timestampDelta = 0;
  keyStart = 0;
  keyEnd = 0;
  /** -1 = the record has no value. */
  valueStart = 0;
  valueEnd = 0;
  #at = 0;
  #left: number;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer, count: number) {
    this.#bytes = bytes;
    this.#left = count;
  }

  /** Throws `UnreadableBatchError` when the record does not fit into its batch. */
  next(): boolean {
    if (this.#left-- <= 0) return false;
    const length = this.#varint();
    const end = this.#at + length;
    if (length < 0 || end > this.#bytes.length) throw new UnreadableBatchError('a record that is cut off');
    this.#at++; // attributes
    this.timestampDelta = this.#varint();
    this.offsetDelta = this.#varint();
    const keyLength = this.#varint();
    this.keyStart = this.#at;
    this.keyEnd = this.#at += Math.max(0, keyLength);
    const valueLength = this.#varint();
    this.valueStart = valueLength < 0 ? -1 : this.#at;
    this.valueEnd = this.#at + Math.max(0, valueLength);
    if (this.valueEnd > end) throw new UnreadableBatchError('a record that is cut off');
    this.#at = end;
    return true;
  }

  /** Zigzag, up to 53 bits. */
  #varint(): number {
    const bytes = this.#bytes;
    const first = bytes[this.#at++] ?? 0;
    if (first < 0x80) return (first >>> 1) ^ -(first & 1);
    let value = first & 0x7f;
    for (let factor = 128; ; factor *= 128) {
      const byte = bytes[this.#at++] ?? 0;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) break;
      if (factor > 2 ** 63) throw new UnreadableBatchError('a number that does not end');
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
