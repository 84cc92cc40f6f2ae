import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBasic, parseBearer, parseIngestionKey } from './authorization-header.ts';

const visible = fc.stringMatching(/^[\x21-\x7e]{1,60}$/);
const anyCase = (word: string): fc.Arbitrary<string> =>
  fc
    .array(fc.boolean(), { minLength: word.length, maxLength: word.length })
    .map((upper) => [...word].map((letter, at) => (upper[at] ? letter.toUpperCase() : letter.toLowerCase())).join(''));
const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

describe('Bearer (seed §Authentication: `Authorization: Bearer <API_KEY>`)', () => {
  it('gives back every key, the scheme in any case', () => {
    fc.assert(
      fc.property(anyCase('bearer'), visible, (scheme, key) => {
        expect(parseBearer(`${scheme} ${key}`)).toBe(key);
      }),
    );
  });

  it.each([undefined, '', 'Bearer', 'Bearer ', 'key', 'Basic key', 'Bearer a b', 'Bearer ü', 'Bearerkey'])(
    'rejects %j',
    (header) => expect(parseBearer(header)).toBeUndefined(),
  );

  it('does not read endless headers', () => {
    expect(parseBearer(`Bearer ${'a'.repeat(5000)}`)).toBeUndefined();
  });
});

describe('Basic (seed §Authentication: base64 of KEY_ID:KEY_SECRET)', () => {
  const keyId = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).filter((text) => !text.includes(':'));
  const secret = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' });

  it('gives back key id and secret in UTF-8, colons in the secret included', () => {
    fc.assert(
      fc.property(anyCase('basic'), keyId, secret, (scheme, cloudKeyId, text) => {
        expect(parseBasic(`${scheme} ${base64(`${cloudKeyId}:${text}`)}`)).toEqual({ cloudKeyId, secret: text });
      }),
    );
    expect(parseBasic(`Basic ${base64('id:a:b:')}`)).toEqual({ cloudKeyId: 'id', secret: 'a:b:' });
  });

  it.each([
    ['nothing', undefined],
    ['another scheme', `Bearer ${base64('id:secret')}`],
    ['no colon', `Basic ${base64('idsecret')}`],
    ['no key id', `Basic ${base64(':secret')}`],
    ['no secret', `Basic ${base64('id:')}`],
    ['text that is not base64', 'Basic id:secret'],
    ['two texts', `Basic ${base64('id:secret')} x`],
    ['bytes that are not UTF-8', `Basic ${Buffer.from([0x69, 0x3a, 0xff, 0xfe]).toString('base64')}`],
  ])('rejects %s', (_, header) => expect(parseBasic(header)).toBeUndefined());
});

describe('the collector (interface: `<key>` or `Bearer <key>`)', () => {
  it('reads both forms', () => {
    const key = visible.filter((text) => !/^(bearer|basic)$/i.test(text));
    fc.assert(
      fc.property(key, (text) => {
        expect(parseIngestionKey(text)).toBe(text);
        expect(parseIngestionKey(`Bearer ${text}`)).toBe(text);
      }),
    );
  });

  it.each([undefined, '', ' ', 'Bearer', 'bearer ', 'Basic', `Basic ${base64('id:secret')}`, 'two words'])(
    'rejects %j',
    (header) => expect(parseIngestionKey(header)).toBeUndefined(),
  );
});

it('no header at all makes a parser throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (header) => {
      for (const parse of [parseBearer, parseBasic, parseIngestionKey]) parse(header);
    }),
  );
});
