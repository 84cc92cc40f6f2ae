import { describe, expect, it } from 'vitest';
import { rankOf } from './name-match.ts';

describe('what is typed finds names by the beginnings of their words', () => {
  it.each([
    ['che', 'Checkout latency', 0],
    ['CHECKOUT LAT', 'Checkout latency', 0],
    ['lat', 'Checkout latency', 1],
    ['lat che', 'Checkout latency', 1],
    ['tenc', 'Checkout latency', 2],
    ['chlat', 'Checkout latency', 3],
    ['cl', 'Checkout of payments: latency', 3],
    ['cl pay', 'Checkout of payments: latency', 3],
    ['p95', 'HTTP p95 (ms)', 1],
    ['größe', 'Die Größe', 1],
    ['', 'Anything', 0],
    ['lc', 'Checkout latency', undefined],
    ['chk', 'Checkout latency', undefined],
    ['che xyz', 'Checkout latency', undefined],
    ['a', '', undefined],
  ])('%j in %j: %j', (typed, name, rank) => {
    expect(rankOf(typed, name)).toBe(rank);
  });

  it('agrees with trying every way to cut the text', () => {
    const alphabet = ['a', 'b'];
    const texts = (length: number): string[] =>
      length === 0 ? [''] : texts(length - 1).flatMap((text) => [text, ...alphabet.map((letter) => text + letter)]);
    const names = ['ab ba', 'aab b', 'b a b', 'abab a'];
    for (const name of names) {
      for (const typed of new Set(texts(4))) {
        const isFound = name.includes(typed) || cuts(typed, name.split(' '));
        expect(rankOf(typed, name) !== undefined, `${typed} in ${name}`).toBe(isFound);
      }
    }
  });

  it('long texts take no time that grows faster than they do', () => {
    expect(rankOf(`${'a'.repeat(5000)}b`, 'a '.repeat(5000))).toBeUndefined();
  });
});

function cuts(text: string, words: readonly string[]): boolean {
  if (text === '') return true;
  const [first, ...rest] = words;
  if (first === undefined) return false;
  const lengths = Array.from({ length: first.length + 1 }, (_, length) => length);
  return lengths.some(
    (length) => text.startsWith(first.slice(0, length)) && length <= text.length && cuts(text.slice(length), rest),
  );
}
