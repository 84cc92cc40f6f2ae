import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { readVarint } from '../../kernel/varint.ts';
import { UnreadableRecordError } from '../records/record-format.ts';
import type { KinesisRecord } from './kinesis-stream.ts';

/** One of the values that a record holds. */
export interface RecordValue {
  data: Buffer;
  key: string;
}

const magic = Buffer.from([0xf3, 0x89, 0x9a, 0xc2]);
const digestBytes = 16;
const gzipMagic = Buffer.from([0x1f, 0x8b]);
const expandedBytesMax = 32 * 1024 ** 2;
/** Of the aggregated record, and of each record in it. */
const field = { keys: 1, records: 3, keyIndex: 1, data: 3 };

/**
 * What a record holds: one value, or the several that Amazon's producer library has packed together; gzip is undone.
 * Throws `UnreadableRecordError`.
 */
export function valuesOf({ data, key }: KinesisRecord): RecordValue[] {
  const packed = unpacked(data);
  if (!packed) return [{ data: expanded(data), key }];
  return packed.records.map((record) => {
    const { keyIndex, value } = readRecord(record);
    return { data: expanded(value), key: packed.keys[keyIndex] ?? key };
  });
}

function expanded(data: Buffer): Buffer {
  if (!data.subarray(0, gzipMagic.length).equals(gzipMagic)) return data;
  try {
    return gunzipSync(data, { maxOutputLength: expandedBytesMax });
  } catch {
    throw new UnreadableRecordError('The record is compressed, but cannot be decompressed or expands too far.');
  }
}

/** The parts of an aggregated record: a mark in front, a digest at the end, Protocol Buffers in between. */
function unpacked(data: Buffer): { keys: string[]; records: Buffer[] } | undefined {
  if (data.length < magic.length + digestBytes || !data.subarray(0, magic.length).equals(magic)) return undefined;
  const message = data.subarray(magic.length, -digestBytes);
  // Without it, the record only begins like one.
  if (!createHash('md5').update(message).digest().equals(data.subarray(-digestBytes))) return undefined;
  const keys: string[] = [];
  const records: Buffer[] = [];
  for (const { number, bytes } of fieldsOf(message)) {
    if (number === field.keys) keys.push(bytes.toString());
    if (number === field.records) records.push(bytes);
  }
  return { keys, records };
}

function readRecord(bytes: Buffer): { keyIndex: number; value: Buffer } {
  let keyIndex = 0;
  let value = Buffer.alloc(0);
  for (const found of fieldsOf(bytes)) {
    if (found.number === field.keyIndex) keyIndex = found.value;
    if (found.number === field.data) value = Buffer.from(found.bytes);
  }
  return { keyIndex, value };
}

const nothing = Buffer.alloc(0);

/** Fields that are numbers or have a length, which is all that there are. */
function* fieldsOf(bytes: Buffer): Generator<{ number: number; value: number; bytes: Buffer }> {
  for (let at = 0; at < bytes.length; ) {
    const tag = readVarint(bytes, at);
    const value = tag && readVarint(bytes, tag.end);
    if (!value || (tag.value & 5) !== 0) throw new UnreadableRecordError('The aggregated record cannot be read.');
    const hasLength = (tag.value & 7) === 2;
    at = hasLength ? value.end + value.value : value.end;
    if (at > bytes.length) throw new UnreadableRecordError('The aggregated record cannot be read.');
    yield { number: tag.value >>> 3, value: value.value, bytes: hasLength ? bytes.subarray(value.end, at) : nothing };
  }
}
