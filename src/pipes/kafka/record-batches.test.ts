import { createRecordsBatch } from '@platformatic/kafka';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { peekBatch, RecordCursor, readBatch, UnreadableBatchError } from './record-batches.ts';

const message = fc.record({
  key: fc.option(fc.uint8Array({ maxLength: 200 })),
  value: fc.option(fc.uint8Array({ maxLength: 300 })),
  // The library writes larger differences wrongly.
  timestamp: fc.integer({ min: 0, max: 2 ** 30 }),
});
type Message = { key: Uint8Array | null; value: Uint8Array | null; timestamp: number };

function written(messages: readonly Message[], compression: string): Buffer {
  const plain = messages.map(({ key, value, timestamp }) => ({
    topic: '',
    key: key && Buffer.from(key),
    value: value && Buffer.from(value),
    timestamp: BigInt(timestamp),
  }));
  // Records without a value are written as well, though the library's type has none.
  const { buffer } = createRecordsBatch(plain as never, { compression } as never);
  return Buffer.from(buffer);
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}

function readBack(bytes: Buffer): Message[] {
  const batch = readBatch(bytes, 0);
  if (!batch) throw new Error('no batch');
  const { records, count, baseTimestampMs } = batch;
  const cursor = new RecordCursor(records, count);
  const found: Message[] = [];
  while (cursor.next()) {
    const { keyStart, keyEnd, valueStart, valueEnd, timestampDelta } = cursor;
    found.push({
      key: keyEnd > keyStart ? new Uint8Array(records.subarray(keyStart, keyEnd)) : null,
      value: valueStart < 0 ? null : new Uint8Array(records.subarray(valueStart, valueEnd)),
      timestamp: baseTimestampMs + timestampDelta,
    });
  }
  return found;
}

describe('record batches', () => {
  it.each(['none', 'gzip', 'snappy', 'lz4'])('are read as the client library writes them: %s', (compression) => {
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 50 }), (messages) => {
        const expected = messages.map(({ key, ...rest }) => ({ key: key?.length ? key : null, ...rest }));
        expect(readBack(written(messages, compression))).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  it('have numbers of up to 53 bits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 52n), max: 2n ** 52n }), (delta) => {
        const fields = Buffer.concat([
          Buffer.from([0]),
          varint(delta),
          varint(3n),
          varint(-1n),
          varint(0n),
          varint(0n),
        ]);
        const cursor = new RecordCursor(Buffer.concat([varint(BigInt(fields.length)), fields]), 1);
        expect(cursor.next()).toBe(true);
        expect([cursor.timestampDelta, cursor.offsetDelta, cursor.valueStart - cursor.valueEnd]).toEqual([
          Number(delta),
          3,
          0,
        ]);
        expect(cursor.next()).toBe(false);
      }),
    );
  });

  it('that are cut off are not there yet', () => {
    const bytes = written([{ key: null, value: Buffer.from('x'), timestamp: 0 }], 'none');
    for (let length = 0; length < bytes.length; length++) {
      expect(peekBatch(bytes.subarray(0, length), 0)).toBeUndefined();
      expect(readBatch(bytes.subarray(0, length), 0)).toBeUndefined();
    }
  });

  it('of other bytes fail, and never hang or read outside of themselves', () => {
    const bytes = written([{ key: null, value: Buffer.alloc(40), timestamp: 0 }], 'none');
    fc.assert(
      fc.property(fc.nat(bytes.length - 62), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        const changed = Buffer.from(bytes);
        changed[61 + at] = byte;
        try {
          for (const { value } of readBack(changed)) expect(value?.length ?? 0).toBeLessThan(bytes.length);
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableBatchError);
        }
      }),
    );
  });

  it('that would expand too far are refused', () => {
    const bytes = written([{ key: null, value: Buffer.alloc(130 * 1024 ** 2), timestamp: 0 }], 'gzip');
    expect(() => readBatch(bytes, 0)).toThrow(/expand too far/);
  });
});
