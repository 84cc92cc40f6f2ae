/** End of the window at a place of the history, 0 the newest, in Unix milliseconds; `undefined` where there is none. */
export type WindowEndAt = (place: number) => Promise<number | undefined>;

/**
 * The page of a history, newest first, that holds the window which an instant is in, or the last one before it. Each look
 * halves what is left, so that a year of minutes takes twenty.
 */
export async function findPage(
  atMs: number,
  { total, pageSize, windowEndAt }: { total: number; pageSize: number; windowEndAt: WindowEndAt },
): Promise<number> {
  // The last place whose window ends after the instant is wanted: that window holds it.
  let [from, to] = [0, total];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const endMs = await windowEndAt(middle);
    if (endMs !== undefined && endMs > atMs) from = middle + 1;
    else to = middle;
  }
  return Math.floor(Math.max(from - 1, 0) / pageSize) + 1;
}
