import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../contract/errors.ts';
import { scanJson } from './json-scan.ts';
import { jsonLimits, readJson } from './read-json.ts';

const read = (text: string) => readJson(Buffer.from(text));

function rejectionOf(text: string): string {
  try {
    return `read: ${JSON.stringify(read(text))}`;
  } catch (error) {
    return error instanceof AppError ? error.publicText : String(error);
  }
}

const ordinary = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    ordinary,
    fc.array(tie('tree')),
    fc.dictionary(fc.string({ unit: 'binary' }), tie('tree')),
  ),
}));

/** Values that JSON has a word for and we could not give back, with what is said of them. */
const lossy = [
  ['1e309', 'too large'],
  ['-1e999', 'too large'],
  ['1'.repeat(400), 'too large'],
  ['9007199254740993', 'represented exactly'],
  ['-9007199254740993', 'represented exactly'],
  ['18446744073709551615', 'represented exactly'],
  ['123456789012345678901234567890', 'represented exactly'],
  [String.raw`"\ud800"`, 'surrogate'],
  [String.raw`"a\udc00b"`, 'surrogate'],
] as const;

describe('the reader of JSON', () => {
  it('answers what JSON.parse answers, of any text that loses nothing', () => {
    fc.assert(
      fc.property(tree, fc.constantFrom(undefined, 2, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(read(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('finds a value that would be lost at any position, and names its path', () => {
    const segment = fc.oneof(fc.nat(5), fc.stringMatching(/^[a-z]{1,8}$/));
    fc.assert(
      fc.property(
        fc.array(segment, { maxLength: 8 }),
        fc.constantFrom(...lossy),
        ordinary,
        (path, [token, word], beside) => {
          const other = JSON.stringify(beside);
          const text = path.reduceRight<string>((inner, part) => {
            if (typeof part === 'string') return `{"ZZ":${other},${JSON.stringify(part)} : ${inner},"YY":[{}]}`;
            return `[${`${other},`.repeat(part)} ${inner} ,{"a":{}}]`;
          }, token);
          const rejection = rejectionOf(text);
          expect(rejection).toContain(word);
          expect(rejection.startsWith(path.length === 0 ? 'The request body' : `${path.join('.')}: `)).toBe(true);
        },
      ),
    );
  });

  it.each(lossy.slice(-2))('finds %s in the name of a key too', (token, word) => {
    expect(rejectionOf(`{"a":{${token}:1}}`)).toContain(word);
  });

  it.each(['9007199254740991', '9007199254740994', '1e308', '100000000000000000000', '-0.1', '1.5e-400', '1e25'])(
    'keeps %s, which a double holds as near as it can be',
    (token) => expect(read(`[${token}]`)).toEqual([Number(token)]),
  );

  it('keeps pairs of surrogates and keys that objects have anyway', () => {
    const text = String.raw`{"__proto__":"\ud83d\ude00","constructor":"é\\u0000\"]"}`;
    expect(JSON.stringify(read(text))).toBe(JSON.stringify(JSON.parse(text)));
  });

  it.each(['[', '{"a":', '[{"b":[', '[[],'])('rejects endless nesting by %s before anything is built', (opening) => {
    const text = opening.repeat(200_000);
    expect(rejectionOf(text)).toContain('has more than 100 levels');
  });

  it('takes the levels that it says, and not one more', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(rejectionOf(nested(100))).toMatch(/^read/);
    expect(rejectionOf(nested(101))).toContain('levels');
  });

  it.each(['{},', '1,', '"",', '[],', '{"a":1},'])('rejects a list of too many %s', (item) => {
    expect(rejectionOf(`[${item.repeat(300_000)}1]`)).toContain('more than 250000 values');
  });

  it.each(['{"name":"x",}', 'nonsense', '[1', '01', '-', '1e', '{"a" 1}', '[1e5e5]', ''])(
    'leaves the syntax of %j to the parser',
    (text) => {
      expect(scanJson(text, jsonLimits)).toBeUndefined();
      expect(rejectionOf(text)).toMatch(/^The request body is not valid JSON/);
    },
  );

  it('rejects bytes that are not UTF-8', () => {
    expect(() => readJson(Uint8Array.from([0x22, 0xff, 0x22]))).toThrow('not valid UTF-8');
  });
});
