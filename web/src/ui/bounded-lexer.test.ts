import fc from 'fast-check';
import { Lexer } from 'marked';
import { expect, test } from 'vitest';
import { BoundedLexer, markedUpMax } from './bounded-lexer.ts';

const marks = [
  '*',
  '_',
  '**',
  '`',
  '[a](http://b.c)',
  'a@b.c',
  'www.a.b',
  '~~',
  '\n',
  '\n\n',
  '- ',
  '# ',
  '> ',
  '|',
  ' word ',
  '![',
  '&amp;',
];

test('texts of usual length are read as the library reads them', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...marks), { maxLength: 60 }), (parts) => {
      const text = parts.join('');
      expect([...new BoundedLexer().lex(text)]).toEqual([...new Lexer({ gfm: true }).lex(text)]);
    }),
  );
});

test.each([
  ['an address without an end', 'a.'],
  ['emphasis that begins again and again', '_a'],
  ['emphasis within words', 'a**b'],
  ['links without an end', '[a]('],
])('%s stays as it was written', (_, part) => {
  const text = part.repeat(Math.ceil(50_000 / part.length));
  const [paragraph, ...others] = new BoundedLexer().lex(`${text}\n\n*short*`);
  expect(paragraph).toMatchObject({ type: 'paragraph', tokens: [{ type: 'text', text }] });
  expect(others.at(-1)).toMatchObject({ tokens: [{ type: 'em' }] });
});

test('the longest paragraph that is read is full of addresses', () => {
  const text = 'a@b.cc '.repeat(Math.floor(markedUpMax / 7)).trim();
  const [paragraph] = new BoundedLexer().lex(text);
  expect(JSON.stringify(paragraph).match(/"type":"link"/g)).toHaveLength(Math.floor(markedUpMax / 7));
});
