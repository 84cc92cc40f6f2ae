import { expect, it } from 'vitest';
import { lagText, successText } from './pipe-figures.ts';

it.each([
  [{}, '–'],
  [{ lagMs: 0 }, '0 s'],
  [{ lagMs: 3_200 }, '3.2 s'],
  [{ lagMs: -5 }, '0 s'],
  [{ lagRecords: 1_234 }, '1,234 records'],
  [{ lagMs: 120_000, lagRecords: 500 }, '2 min, 500 records'],
])('a lag of %j is %s', (lag, text) => {
  expect(lagText(lag)).toBe(text);
});

it('a pipe that never wrote has no time of success', () => {
  expect(successText({})).toBe('–');
});
