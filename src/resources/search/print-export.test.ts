import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv } from '../../../test/support/read-csv.ts';
import type { QueryResult } from '../../telemetry/ports.ts';
import { nextPageRows } from './export-page-size.ts';
import { exportHead, exportLines } from './print-export.ts';

const columnsOf = (...keys: string[]) => keys.map((key) => ({ key, text: key }));
function resultOf(types: string[], ...columns: unknown[][]): QueryResult {
  const rows = columns[0]?.length ?? 0;
  return { names: types, types, columns, rows, rowsRead: 0, bytesRead: 0, elapsedMs: 0 };
}
const csvOf = (...values: unknown[]): string =>
  exportLines('csv', resultOf(['String'], values), columnsOf('a')).replace(/\r\n$/, '');

describe('CSV', () => {
  it('RFC 4180: CRLF, quotes around commas, quotes and line breaks; null is empty', () => {
    const result = resultOf(['String', 'Float64'], ['a,b', 'c"d', 'e\nf', ''], [1.5, null, 0, -2]);
    expect(exportHead('csv', columnsOf('x', 'y, z'))).toBe('x,"y, z"\r\n');
    expect(exportLines('csv', result, columnsOf('x', 'y'))).toBe('"a,b",1.5\r\n"c""d",\r\n"e\nf",0\r\n,-2\r\n');
  });

  it('what is read back is what there was, whatever the text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'ü', '😀', ';') });
    const rows = fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(rows, (given) => {
        const columns = [given.map(([first]) => `x${first}`), given.map(([, second]) => `x${second}`)];
        const printed = exportLines('csv', resultOf(['String', 'String'], ...columns), columnsOf('a', 'b'));
        expect(readCsv(printed)).toEqual(given.map((row) => row.map((value) => `x${value}`)));
      }),
    );
  });

  it.each([
    '=1+1',
    '+SUM(A1)',
    '-2+3',
    '@SUM(1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '＝1',
    '＋1',
    '－1',
    '＠a',
    '=HYPERLINK("x")',
  ])('no spreadsheet runs %j', (value) => {
    expect(readCsv(`${csvOf(value)}\r\n`)).toEqual([[`'${value}`]]);
    expect(readCsv(exportHead('csv', columnsOf(value)))).toEqual([[`'${value}`]]);
  });

  it.each(['-5', '+5', '-1.5e3', '18446744073709551615', '2026-01-31T12:00:00Z', "a=b'"])(
    'leaves %j alone',
    (value) => {
      expect(csvOf(value)).toBe(value);
    },
  );

  it('maps and arrays are JSON', () => {
    expect(readCsv(`${csvOf({ a: '1' })}\r\n${csvOf(['=1'])}\r\n`)).toEqual([['{"a":"1"}'], ['["=1"]']]);
  });
});

it('NDJSON has the rows of a search, without a header', () => {
  const result = resultOf(['String', 'UInt64'], ['a\nb', '=1'], [1, 2]);
  expect(exportHead('ndjson', columnsOf('x'))).toBe('');
  expect(exportLines('ndjson', result, columnsOf('x', 'y'))).toBe('{"x":"a\\nb","y":"1"}\n{"x":"=1","y":"2"}\n');
});

it('pages have about as much text, whatever a row holds', () => {
  expect(nextPageRows(1_000, 100_000)).toBe(10_000);
  expect(nextPageRows(1_000, 1_000 * 8_192)).toBe(1_024);
  expect(nextPageRows(10, 10_000_000)).toBe(100);
  expect(nextPageRows(0, 0)).toBe(10_000);
});
