import { expect, it } from 'vitest';
import { readHistory } from './read-history.ts';

const minuteMs = 60_000;
const newestMinute = 100_000;

/** Windows of a minute, the newest ending at `newestMinute`. */
function history(total: number) {
  const pagesRead: number[] = [];
  const at = (place: number) => ({
    windowStart: new Date((newestMinute - place - 1) * minuteMs).toISOString(),
    windowEnd: new Date((newestMinute - place) * minuteMs).toISOString(),
  });
  const readPage = async (page: number) => {
    pagesRead.push(page);
    const first = (page - 1) * 100;
    const entries = Array.from({ length: Math.min(100, Math.max(total - first, 0)) }, (_, i) => at(first + i));
    return { entries, total };
  };
  return { pagesRead, reader: { pageSize: 100, readPage } };
}

it.each([
  [0, [1]],
  [60, [1]],
  [100, [1]],
  [250, [1, 2, 3]],
  [1000, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
])('reads %i windows with as many pages as they need', async (total, pages) => {
  const { reader, pagesRead } = history(total);
  const { entries, cutAtMs } = await readHistory(reader);
  expect([entries.length, cutAtMs, pagesRead]).toEqual([total, undefined, pages]);
});

it('says from when on the windows are there, where the range has more than are read', async () => {
  const { entries, cutAtMs } = await readHistory(history(50_000).reader);
  expect(entries).toHaveLength(1000);
  expect(cutAtMs).toBe((newestMinute - 1000) * minuteMs);
});
