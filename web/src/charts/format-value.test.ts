import { describe, expect, it } from 'vitest';
import type { NumberFormat } from '../../../src/contract/number-format.ts';
import { commonDecimals, formatTick, formatValue } from './format-value.ts';

const cases: [string, number | null, NumberFormat | undefined, string][] = [
  ['no value', null, undefined, '–'],
  ['not a number', Number.NaN, undefined, '–'],
  ['an integer', 1234, undefined, '1,234'],
  ['zero', 0, undefined, '0'],
  ['a fraction', 0.12345, undefined, '0.1235'],
  ['a tiny fraction', 0.0000123, undefined, '1.23e-5'],
  ['a large number', 12_345_678, undefined, '12.35M'],
  ['a percentage', 0.1234, { output: 'percent' }, '12.34%'],
  ['a percentage with decimals', 0.5, { output: 'percent', mantissa: 1 }, '50.0%'],
  ['bytes', 1536, { output: 'byte' }, '1.5 KiB'],
  ['decimal bytes', 1500, { output: 'byte', decimalBytes: true }, '1.5 kB'],
  ['few bytes', 12, { output: 'byte' }, '12 B'],
  ['a data rate', 2048, { output: 'data_rate' }, '2 KiB/s'],
  ['a throughput', 12, { output: 'throughput' }, '12/s'],
  ['a currency', 1234.5, { output: 'currency', currencySymbol: '€' }, '€1,234.50'],
  ['a negative currency', -2, { output: 'currency' }, '-$2.00'],
  ['nanoseconds by a factor', 1_250_000, { output: 'duration', factor: 1e-9 }, '1.25 ms'],
  ['minutes', 200, { output: 'duration' }, '3 min 20 s'],
  ['days', 187_200, { output: 'duration' }, '2 d 4 h'],
  ['a clock', 3725, { output: 'time' }, '1:02:05'],
  ['an abbreviated number', 1500, { output: 'number', average: true }, '1.5k'],
  ['no separators', 12_345, { output: 'number', thousandSeparated: false }, '12345'],
  ['a unit', 3, { output: 'number', unit: 'req' }, '3 req'],
];

describe('formatValue', () => {
  it.each(cases)('writes %s', (_, value, format, text) => {
    expect(formatValue(value, format)).toBe(text);
  });
});

describe('formatTick', () => {
  it('is short', () => {
    expect(formatTick(1_500_000)).toBe('1.5M');
    expect(formatTick(0.25, { output: 'percent' })).toBe('25%');
    expect(formatTick(0.125, { output: 'percent', mantissa: 0 })).toBe('12.5%');
  });

  it('distinguishes one tick from the next, whatever decimals the values have', () => {
    const format = { output: 'number', mantissa: 0 } as const;
    expect([1_500, 2_000].map((tick) => formatTick(tick, format))).toEqual(['1.5k', '2k']);
  });

  it('keeps zeros before the point', () => {
    expect(formatTick(100, { output: 'throughput' })).toBe('100/s');
    expect(formatTick(1024 * 100, { output: 'byte' })).toBe('100 KiB');
  });
});

it('an axis follows the factor, as the values beside it do', () => {
  expect(formatTick(2_000_000_000, { output: 'number', factor: 1e-6, unit: 'ms' })).toBe('2k ms');
  expect(formatTick(1_000_000_000, { output: 'duration', factor: 1e-9 })).toBe('1 s');
});

describe('figures of one column', () => {
  it('have the same decimals, about three digits of the largest', () => {
    expect(commonDecimals([14.08, 12, 7.754, null])).toBe(1);
    expect(commonDecimals([0.5, 0.25])).toBe(3);
    expect(commonDecimals([3, 0.25])).toBe(2);
    expect(commonDecimals([247.3, 12])).toBe(0);
  });

  it('have none where all are whole, and their own where one is very large or very small', () => {
    expect(commonDecimals([31, 21, 0])).toBe(0);
    expect(commonDecimals([2_500_000.5, 1])).toBeUndefined();
    expect(commonDecimals([0.00001, 1])).toBeUndefined();
    expect(commonDecimals([])).toBe(0);
  });
});
