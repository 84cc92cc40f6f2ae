/**
 * Parts the items into chunks of `max` and smaller powers of two, so that statements with a row per item come in few
 * lengths: the store keeps prepared statements by their text. `max` is a power of two.
 */
export function evenChunks<T>(items: readonly T[], max: number): T[][] {
  const chunks: T[][] = [];
  let size = max;
  let from = 0;
  while (from < items.length) {
    while (size > items.length - from) size /= 2;
    chunks.push(items.slice(from, from + size));
    from += size;
  }
  return chunks;
}
