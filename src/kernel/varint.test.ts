import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readVarint, varintBytes, varintOf } from './varint.ts';

const largest = 2 ** 32 - 1;

describe('varints', () => {
  it.each([
    [0, '00'],
    [1, '01'],
    [127, '7f'],
    [128, '8001'],
    [300, 'ac02'],
    [16_383, 'ff7f'],
    [16_384, '808001'],
    [2 ** 28, '8080808001'],
    [2 ** 31, '8080808008'],
    [largest, 'ffffffff0f'],
  ])('%i is %s', (value, hex) => {
    expect(varintOf(value).toString('hex')).toBe(hex);
    expect(readVarint(Buffer.from(hex, 'hex'), 0)).toEqual({ value, end: hex.length / 2 });
  });

  it('each is read back from wherever it was written, and takes the bytes that were announced', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: largest }), fc.uint8Array(), fc.uint8Array(), (value, before, after) => {
        const bytes = varintOf(value);
        expect(varintBytes(value)).toBe(bytes.length);
        const read = readVarint(Buffer.concat([before, bytes, after]), before.length);
        expect(read).toEqual({ value, end: before.length + bytes.length });
      }),
    );
  });

  it('one that is longer than it needs to be is still read', () => {
    expect(readVarint(Buffer.from('8100', 'hex'), 0)).toEqual({ value: 1, end: 2 });
    expect(readVarint(Buffer.from('8180808000', 'hex'), 0)).toEqual({ value: 1, end: 5 });
  });

  it.each([
    ['nothing', ''],
    ['one that is cut off', 'ffffffff'],
    ['2^32', '8080808010'],
    ['a sixth byte', '818080808000'],
    ['one that never ends', 'ff'.repeat(20)],
  ])('%s is none', (_, hex) => {
    expect(readVarint(Buffer.from(hex, 'hex'), 0)).toBeUndefined();
  });
});
