import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskText } from './mask-text.ts';
import { regexOfPattern } from './pattern-regex.ts';
import { PatternTree } from './pattern-tree.ts';

describe('maskText', () => {
  it.each([
    ['order 17 placed', 'order <*> placed'],
    ['user=alice id=a1b2-c3d4 took 12.5ms', 'user=alice id=<*> took <*>'],
    ['2026-11-29T16:23:02.123Z GET /api/users/42?x=1', '<*> GET /api/users/<*>?x=<*>'],
    ['dial tcp 10.0.0.1:8080: connection refused.', 'dial tcp <*>: connection refused.'],
    ['order:17 of shop:9', 'order:<*> of shop:<*>'],
    ['{"id":"7f3","ok":true}', '{"id":"<*>","ok":true}'],
    ['Größe 3 übernommen', 'Größe <*> übernommen'],
    ['no digits at all', 'no digits at all'],
    ['', ''],
  ])('%s → %s', (text, masked) => {
    expect(maskText(text)).toBe(masked);
  });

  it('leaves no digit outside of wildcards, and nothing else is lost', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const rest = maskText(text).split('<*>');
        const plain = text.includes('<*>') ? [] : rest;
        return plain.every((part) => !/[0-9]/.test(part) && text.includes(part));
      }),
    );
  });
});

const found = (texts: readonly string[]) => {
  const tree = new PatternTree();
  for (const text of texts) tree.add(text, 1);
  return tree.patterns().map(({ pattern, count }) => [pattern, count]);
};

/** RE2 knows fewer blanks than this engine. */
const asRe2 = (regex: string) =>
  new RegExp(
    regex.replaceAll('\\\\', '\\x5c').replaceAll('\\s', '[\\t\\n\\f\\r ]').replaceAll('\\S', '[^\\t\\n\\f\\r ]'),
  );

describe('PatternTree', () => {
  it('joins texts that differ in some words', () => {
    expect(
      found([
        'user alice logged in',
        'user bob logged in',
        'disk full on db1',
        'user eve logged in',
        'disk full on db2',
      ]),
    ).toEqual([
      ['user <*> logged in', 3],
      ['disk full on <*>', 2],
    ]);
  });

  it('keeps texts apart that have little in common, another beginning or another length', () => {
    expect(found(['connect to a failed', 'connect from now on', 'cannot connect', 'connect']).length).toBe(4);
  });

  it('every text counts once, whatever the order, and its example matches the pattern', () => {
    const word = fc.constantFrom('get', 'put', 'cart', 'shop', '17', 'a-9', 'failed', 'ok');
    const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 60 }), (texts) => {
        const tree = new PatternTree();
        for (const each of texts) tree.add(each, 2);
        const patterns = tree.patterns();
        expect(patterns.reduce((sum, { count }) => sum + count, 0)).toBe(texts.length * 2);
        expect(new Set(patterns.map(({ pattern }) => pattern)).size).toBe(patterns.length);
        for (const { pattern, example } of patterns) {
          const words = maskText(example).split(' ');
          expect(pattern.split(' ').every((part, at) => part === '<*>' || part === words[at])).toBe(true);
        }
      }),
    );
  });

  it('a pattern with a regular expression is that of exactly the texts it matches', () => {
    const word = fc.oneof(
      fc.constantFrom('get', 'cart', 'shop-17', 'id=7', 'id=x', '[9]', 'a.b', 'failed', '<*>', 'ü1', '1\u00a02', '\\d'),
      fc.string({ maxLength: 4 }),
    );
    const text = fc
      .tuple(fc.array(word, { maxLength: 5 }), fc.constantFrom(' ', '  ', '\n', '\t '))
      .map(([words, blank]) => words.join(blank));
    let some = 0;
    fc.assert(
      fc.property(fc.array(text, { maxLength: 40 }), (texts) => {
        const tree = new PatternTree();
        for (const each of texts) tree.add(each, 1);
        const all = tree.patterns();
        for (const one of all) {
          const regex = regexOfPattern(one, all, 1000);
          if (regex === undefined) continue;
          some++;
          const matched = texts.filter((each) => asRe2(regex).test(each));
          expect([one.pattern, matched.length]).toEqual([one.pattern, one.count]);
        }
      }),
    );
    expect(some).toBeGreaterThan(100);
  });

  it('has none where texts of another pattern match, or a text was cut', () => {
    const of = (...texts: string[]) => {
      const tree = new PatternTree();
      for (const each of texts) tree.add(each, 1);
      const all = tree.patterns();
      return all.map((one) => [one.pattern, regexOfPattern(one, all, 30) ?? null]);
    };
    expect(of('took 5 ms', 'took 6 ms', 'stopped')).toEqual([
      ['took <*> ms', '^\\s*took\\s+\\S+\\s+ms\\s*$'],
      ['stopped', '^\\s*stopped\\s*$'],
    ]);
    expect(of('a (b) c', 'a 1 2').map(([, regex]) => regex)).toEqual([null, null]);
    expect(of(`word ${'x'.repeat(30)}`)).toEqual([[expect.any(String), null]]);
  });

  it('holds a bounded number of patterns of one shape', () => {
    const texts = Array.from({ length: 5000 }, (_, index) => {
      const word = (digits: number) =>
        [...String(index * digits + 1)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
      return `start ${word(7919)} ${word(104_729)} ${word(1_299_709)}`;
    });
    expect(found(texts).length).toBeLessThanOrEqual(200);
  });

  it('a very long text is compared by its beginning', () => {
    const long = Array.from({ length: 5000 }, () => 'word').join(' ');
    expect(found([long, `${long} more`])).toEqual([[expect.stringMatching(/^word( word){199} <\*>$/), 2]]);
  });
});
