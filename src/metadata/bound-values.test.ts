import { describe, expect, it } from 'vitest';
import { checkBoundValues, columnText } from './bound-values.ts';

describe('checkBoundValues', () => {
  it('lets text, finite numbers, big integers and null through as they are', () => {
    const values = ['', 'ü\n', 0, -1.5, Number.MAX_SAFE_INTEGER, 5n, null];
    expect(checkBoundValues(values)).toEqual(values);
  });

  it.each([
    ['true, on which the embedded driver ends the process', true, /value 2 .* type boolean/],
    ['NUL, at which the embedded driver cuts the text', 'a\0b', /value 2 .* NUL/],
    ['NaN', Number.NaN, /value 2 .* finite/],
    ['Infinity', Number.POSITIVE_INFINITY, /value 2 .* finite/],
    ['undefined', undefined, /value 2 .* type undefined/],
    ['an object', {}, /value 2 .* type object/],
  ])('rejects %s', (_, value, message) => {
    expect(() => checkBoundValues(['fine', value])).toThrow(message);
  });

  it('never repeats the value', () => {
    expect(() => checkBoundValues(['hunter2\0'])).toThrow(expect.not.stringContaining('hunter2'));
  });
});

describe('columnText', () => {
  it('replaces NUL and nothing else', () => {
    expect(columnText('a\0b\0')).toBe('a\uFFFDb\uFFFD');
    expect(columnText('plain ü \n')).toBe('plain ü \n');
  });
});
