/** Pages that are read for one range; windows before them are left out, which is said. */
const pagesMax = 10;

interface Window {
  windowStart: string;
  windowEnd: string;
}

export interface HistoryReader<T extends Window> {
  pageSize: number;
  /** The windows of the range; newest first, 1 the newest page. */
  readPage: (page: number) => Promise<{ entries: T[]; total: number }>;
}

export interface HistoryOfRange<T> {
  /** Newest first. */
  entries: T[];
  /** From when on the windows of the range are there, where not all of them are. */
  cutAtMs: number | undefined;
}

/** All windows of a range, page by page, as far as they are read. */
export async function readHistory<T extends Window>({
  pageSize,
  readPage,
}: HistoryReader<T>): Promise<HistoryOfRange<T>> {
  const { entries, total } = await readPage(1);
  const last = Math.min(Math.ceil(total / pageSize), pagesMax);
  const found = [...entries];
  for (let page = 2; page <= last; page++) found.push(...(await readPage(page)).entries);
  const oldest = total > pagesMax * pageSize ? found.at(-1) : undefined;
  return { entries: found, cutAtMs: oldest && Date.parse(oldest.windowStart) };
}
