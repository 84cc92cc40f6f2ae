/**
 * Which of the ordered buckets a quantile falls into, and how far into it, 0 to 1; `undefined` when nothing was
 * observed. A bucket that holds nothing has none.
 */
export function quantilePlace(
  counts: readonly number[],
  level: number,
): { place: number; fraction: number } | undefined {
  const rank = counts.reduce((sum, count) => sum + count, 0) * level;
  let below = 0;
  for (const [place, count] of counts.entries()) {
    const reached = below + count;
    if (reached >= rank && reached > 0) return { place, fraction: (rank - below) / count };
    below = reached;
  }
  return undefined;
}
