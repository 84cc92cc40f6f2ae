import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandBraces, GlobTooLargeError, globMatcher, literalPrefix } from './glob.ts';

describe('globMatcher', () => {
  it.each([
    ['a/*.json', 'a/b.json', true],
    ['a/*.json', 'a/b/c.json', false],
    ['a/**/*.json', 'a/b/c.json', true],
    ['a/**/*.json', 'a/c.json', true],
    ['**', 'a/b/c', true],
    ['a?c', 'abc', true],
    ['a?c', 'a/c', false],
    ['{a,b}/{01..03}.csv', 'b/02.csv', true],
    ['{a,b}/{01..03}.csv', 'b/2.csv', false],
    ['a+(b).json', 'a+(b).json', true],
    ['*', '', true],
    ['a{b', 'a{b', true],
  ])('%s, %s: %s', (pattern, name, expected) => {
    expect(globMatcher(pattern)(name)).toBe(expected);
  });

  it('agrees with a plain definition, whatever the pattern', () => {
    const matches = (pattern: string, name: string): boolean => {
      if (pattern === '') return name === '';
      const [first] = pattern;
      if (first === '*') {
        return matches(pattern.slice(1), name) || (name !== '' && name[0] !== '/' && matches(pattern, name.slice(1)));
      }
      if (first === '?') return name !== '' && name[0] !== '/' && matches(pattern.slice(1), name.slice(1));
      return name[0] === first && matches(pattern.slice(1), name.slice(1));
    };
    const text = (signs: string[], maxLength: number) =>
      fc.array(fc.constantFrom(...signs), { maxLength }).map((parts) => parts.join(''));
    // Two stars in a row mean something else.
    const pattern = text(['a', 'b', '/', '*', '?'], 7).map((drawn) => drawn.replaceAll(/\*+/g, '*'));
    fc.assert(
      fc.property(pattern, text(['a', 'b', '/'], 7), (drawn, name) => {
        expect(globMatcher(drawn)(name)).toBe(matches(drawn, name));
      }),
    );
  });
});

it('what matches begins with the literal prefix', () => {
  expect(literalPrefix('a/b*c')).toBe('a/b');
  expect(literalPrefix('a/b')).toBe('a/b');
});

it.each(['{1..5000}', '{a,b}'.repeat(12)])('%s has too many alternatives', (pattern) => {
  expect(() => expandBraces(pattern)).toThrow(GlobTooLargeError);
});
