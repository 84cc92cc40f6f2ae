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
    return {
      entries: Array.from({ length: Math.min(100, Math.max(total - first, 0)) }, (_, i) => at(first + i)),
      total,
    };
  };
  const windowEndAt = async (place: number) => (place < total ? (newestMinute - place) * minuteMs : undefined);
  return { pagesRead, reader: { pageSize: 100, readPage, windowEndAt } };
}

const range = (fromMinute: number, toMinute: number) => ({
  startMs: fromMinute * minuteMs,
  endMs: toMinute * minuteMs,
});

it('reads as many pages as the range needs', async () => {
  const near = history(5000);
  const found = await readHistory(near.reader, range(newestMinute - 60, newestMinute));
  expect([found.entries.length, found.cutAtMs, near.pagesRead]).toEqual([60, undefined, [1]]);
  const wide = history(5000);
  expect((await readHistory(wide.reader, range(newestMinute - 250, newestMinute))).entries).toHaveLength(250);
  expect(wide.pagesRead).toEqual([1, 2, 3]);
});

it('finds a range of long ago without reading what is newer', async () => {
  const old = history(50_000);
  const { entries, cutAtMs } = await readHistory(old.reader, range(60_000, 60_120));
  expect(entries).toHaveLength(120);
  expect(Date.parse(entries[0]?.windowEnd ?? '')).toBe(60_120 * minuteMs);
  expect(cutAtMs).toBeUndefined();
  expect(old.pagesRead.length).toBeLessThanOrEqual(4);
});

it('says from when on the windows are there, where the range has more than are read', async () => {
  const { entries, cutAtMs } = await readHistory(history(50_000).reader, range(newestMinute - 10_000, newestMinute));
  expect(entries).toHaveLength(1000);
  expect(cutAtMs).toBe((newestMinute - 1000) * minuteMs);
});

it('ends where the history does', async () => {
  const { entries, cutAtMs } = await readHistory(history(150).reader, range(0, newestMinute));
  expect([entries.length, cutAtMs]).toEqual([150, undefined]);
  expect(await readHistory(history(0).reader, range(0, 10))).toEqual({ entries: [], cutAtMs: undefined });
});
