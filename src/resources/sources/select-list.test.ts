import { describe, expect, it } from 'vitest';
import { readSelectList } from './select-list.ts';

describe('contract §7: rows are keyed by column or alias', () => {
  it.each([
    [
      'Timestamp, Body',
      [
        ['Timestamp', 'Timestamp'],
        ['Body', 'Body'],
      ],
    ],
    [
      'round(Duration / 1e6), x',
      [
        ['round(Duration / 1e6)', 'round(Duration / 1e6)'],
        ['x', 'x'],
      ],
    ],
    ["concat(a, ', ') AS both", [["concat(a, ', ')", 'both']]],
    [
      'a as "the a", b As `b c`',
      [
        ['a', 'the a'],
        ['b', 'b c'],
      ],
    ],
    [
      '"a", `b`',
      [
        ['"a"', 'a'],
        ['`b`', 'b'],
      ],
    ],
    ["'x as y'", [["'x as y'", "'x as y'"]]],
    ['', []],
  ])('%s', (text, expected) => {
    expect(readSelectList(text).map((item) => [item.text, item.key])).toEqual(expected);
  });
});
