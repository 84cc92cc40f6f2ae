import { describe, expect, it } from 'vitest';
import { splitExpressions } from './split-expressions.ts';

describe('group text of config tiles: top-level commas, brackets respected', () => {
  it.each([
    ['', []],
    ['a', ['a']],
    [' a , b ', ['a', 'b']],
    ['f(a, b), c', ['f(a, b)', 'c']],
    ["Map['x,y'], b", ["Map['x,y']", 'b']],
    ["f('(', a), b", ["f('(', a)", 'b']],
    ["'it\\'s, fine', b", ["'it\\'s, fine'", 'b']],
    ['"a,b", `c,d`', ['"a,b"', '`c,d`']],
    ['a,,b,', ['a', 'b']],
    ['f(a, b', ['f(a, b']],
  ])('%s', (text, parts) => {
    expect(splitExpressions(text)).toEqual(parts);
  });
});
