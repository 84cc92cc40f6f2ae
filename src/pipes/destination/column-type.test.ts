import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printedColumnType } from './column-type.ts';
import { SqlTextError } from './sql-tokens.ts';

describe('types that a pipe may write', () => {
  it.each([
    ['UInt64', 'UInt64'],
    [' Decimal( 18,2 )', 'Decimal(18, 2)'],
    ["DateTime64(3,'Europe/Berlin')", "DateTime64(3, 'Europe/Berlin')"],
    ["DateTime('UTC')", "DateTime('UTC')"],
    ['DateTime', 'DateTime'],
    ['LowCardinality(Nullable(String))', 'LowCardinality(Nullable(String))'],
    ['Map(String,Array(UInt8))', 'Map(String, Array(UInt8))'],
    ["Enum8('a'=1,'it''s'=2)", String.raw`Enum8('a' = 1, 'it\'s' = 2)`],
    ['Tuple(a UInt8, String)', 'Tuple(`a` UInt8, String)'],
    ['FixedString(16)', 'FixedString(16)'],
    ['JSON', 'JSON'],
  ])('%s', (text, printed) => {
    expect(printedColumnType(text)).toBe(printed);
  });

  it.each([
    'String DEFAULT 1',
    "String) ENGINE = URL('http://a'); --",
    'AggregateFunction(sum, UInt64)',
    'Nullable',
    'Array(UInt8, UInt8)',
    'FixedString(0)',
    'DateTime64(12)',
    'Decimal(99)',
    'constructor',
    'toString',
    'String -- x',
    '',
    `${'Array('.repeat(50)}UInt8${')'.repeat(50)}`,
  ])('rejects %j', (text) => {
    expect(() => printedColumnType(text)).toThrow(SqlTextError);
  });

  it('no text becomes anything but a type: what is printed is read as the same type again', () => {
    const pieces = fc.constantFrom(
      'Array',
      'String',
      '(',
      ')',
      ',',
      "'a'",
      '=',
      '1',
      'Nullable',
      '`',
      ';',
      ' ',
      'Enum8',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        let printed: string;
        try {
          printed = printedColumnType(text);
        } catch (error) {
          expect(error).toBeInstanceOf(SqlTextError);
          return;
        }
        expect(printedColumnType(printed)).toBe(printed);
        expect(printed).not.toMatch(/[;-]/);
      }),
    );
  });
});
