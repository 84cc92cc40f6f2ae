import { expect, it } from 'vitest';
import { historyPages } from './history-pages.ts';

const hourMs = 3_600_000;

it.each([
  ['1m', hourMs, 1],
  ['1m', 2 * hourMs, 2],
  ['5m', 24 * hourMs, 3],
  ['1d', 30 * 24 * hourMs, 1],
  ['1m', 7 * 24 * hourMs, 5],
  ['1m', -hourMs, 1],
  ['soon', hourMs, 1],
])('windows of %s over %i ms take %i pages of a hundred', (interval, ageMs, pages) => {
  expect(historyPages(interval, ageMs, 100).at(-1)).toBe(pages);
});
