const pageRowsMin = 100;
const pageRowsMax = 10_000;
/** Of the text of a page, which is in memory while it is written. */
const pageLengthWanted = 8 * 1024 * 1024;

/** Rows of the next page, by how long the rows of this one were: 10,000 short ones, fewer that carry much. */
export function nextPageRows(rows: number, length: number): number {
  const perRow = Math.max(1, length / Math.max(1, rows));
  return Math.min(pageRowsMax, Math.max(pageRowsMin, Math.floor(pageLengthWanted / perRow)));
}
