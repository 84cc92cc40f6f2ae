import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonRows } from '../testing/decoders.ts';
import { Integer64 } from './json-scalars.ts';

const integer = new Integer64();

function read(text: string, signed: boolean): bigint | string {
  const bytes = Buffer.from(`[${text}]`);
  try {
    integer.take(bytes, 1, bytes.length - 1, signed);
  } catch (error) {
    return (error as { message: string }).message;
  }
  const bits = (BigInt(integer.high) << 32n) | BigInt(integer.low);
  return signed ? BigInt.asIntN(64, bits) : bits;
}

describe('64-bit integers of JSON', () => {
  it('are exact, or out of range', () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 66n), 2n ** 66n), fc.boolean(), (value, signed) => {
        const fits = signed ? BigInt.asIntN(64, value) === value : BigInt.asUintN(64, value) === value;
        const result = read(String(value), signed);
        if (fits) expect(result).toBe(value);
        else expect(result).toMatch(/range|whole/);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['0', 0n],
    ['-0', 0n],
    ['9007199254740993', 9_007_199_254_740_993n],
    ['9223372036854775807', 9_223_372_036_854_775_807n],
    ['-9223372036854775808', -9_223_372_036_854_775_808n],
    ['1.0', 1n],
    ['1e3', 1000n],
    ['1.5e1', 15n],
    ['-12.50E+1', -125n],
    ['10e-1', 1n],
    ['1.5', 'has to be a whole number, or one as decimal text'],
    ['1e999', 'has to be a whole number, or one as decimal text'],
    ['1e30', 'is not in the range of a signed 64-bit number'],
    ['9223372036854775808', 'is not in the range of a signed 64-bit number'],
    ['-', 'has to be a whole number, or one as decimal text'],
    ['', 'has to be a whole number, or one as decimal text'],
    ['ten', 'has to be a whole number, or one as decimal text'],
  ])('%s', (text, value) => {
    expect(read(text, true)).toBe(value);
  });

  it.each([['9007199254740993'], ['"9007199254740993"']])('are stored exactly: %s', (text) => {
    const request = {
      resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { intValue: 'HERE' }, timeUnixNano: 'HERE' }] }] }],
    };
    const rows = jsonRows('logs', 'otel_logs', JSON.stringify(request).replaceAll('"HERE"', text));
    expect(rows).toMatchObject([{ Body: '9007199254740993', Timestamp: 9_007_199_254_740_993n }]);
  });
});
