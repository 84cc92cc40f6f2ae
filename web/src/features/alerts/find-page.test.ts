import { expect, it } from 'vitest';
import { findPage } from './find-page.ts';

const minuteMs = 60_000;

/** A history of windows of a minute, the newest ending at minute 1000. */
function history(total: number) {
  const looks: number[] = [];
  const windowEndAt = async (place: number) => {
    looks.push(place);
    return place < total ? (1000 - place) * minuteMs : undefined;
  };
  return { looks, of: { total, pageSize: 100, windowEndAt } };
}

it.each([
  ['now', 1000, 1],
  ['later', 2000, 1],
  ['in the newest window', 999.5, 1],
  ['in the last window of the first page', 900.5, 1],
  ['where a window of the second page begins', 899, 2],
  ['long ago', 450.5, 6],
  ['before the history', 2, 9],
])('finds the page of an instant: %s', async (_, minute, page) => {
  expect(await findPage(minute * minuteMs, history(850).of)).toBe(page);
});

it('looks few times, and not at all into an empty history', async () => {
  const long = history(500_000);
  await findPage(0, long.of);
  expect(long.looks.length).toBeLessThanOrEqual(20);
  const empty = history(0);
  expect(await findPage(0, empty.of)).toBe(1);
  expect(empty.looks).toEqual([]);
});
