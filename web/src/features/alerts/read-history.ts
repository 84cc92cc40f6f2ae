import { findPage, type WindowEndAt } from './find-page.ts';

/** Pages that are read for one range; windows before them are left out, which is said. */
const pagesMax = 10;

interface Window {
  windowStart: string;
  windowEnd: string;
}

export interface HistoryReader<T extends Window> {
  pageSize: number;
  /** Newest first, 1 the newest. */
  readPage: (page: number) => Promise<{ entries: T[]; total: number }>;
  windowEndAt: WindowEndAt;
}

export interface HistoryOfRange<T> {
  /** Newest first. */
  entries: T[];
  /** From when on the windows of the range are there, where not all of them are. */
  cutAtMs: number | undefined;
}

/** The windows of a history that a range touches, also where it lies long ago. */
export async function readHistory<T extends Window>(
  { pageSize, readPage, windowEndAt }: HistoryReader<T>,
  { startMs, endMs }: { startMs: number; endMs: number },
): Promise<HistoryOfRange<T>> {
  const newest = await readPage(1);
  const reachesBack = (entries: readonly T[]) => startOf(entries) <= startMs;
  const isRecent = startOf(newest.entries) < endMs;
  const first = isRecent ? 1 : await findPage(endMs, { total: newest.total, pageSize, windowEndAt });
  const last = Math.min(Math.ceil(newest.total / pageSize), first + pagesMax - 1);
  const found = first === 1 ? [...newest.entries] : [];
  for (let page = first === 1 ? 2 : first; page <= last && !reachesBack(found); page++) {
    found.push(...(await readPage(page)).entries);
  }
  const isWhole = reachesBack(found) || last * pageSize >= newest.total;
  const entries = found.filter(({ windowStart, windowEnd }) => touches(windowStart, windowEnd, startMs, endMs));
  return { entries, cutAtMs: isWhole ? undefined : startOf(found) };
}

function startOf(entries: readonly Window[]): number {
  const oldest = entries.at(-1);
  return oldest ? Date.parse(oldest.windowStart) : Number.POSITIVE_INFINITY;
}

function touches(windowStart: string, windowEnd: string, startMs: number, endMs: number): boolean {
  return Date.parse(windowStart) < endMs && Date.parse(windowEnd) > startMs;
}
