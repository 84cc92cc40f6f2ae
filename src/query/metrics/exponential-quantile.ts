import { bucketStepsMost } from './exponential-buckets.ts';
import { quantilePlace } from './quantile-place.ts';

/** Buckets of one side that hold something: their indexes and counts. */
type Side = readonly [indexes: readonly (number | string)[], counts: readonly number[]];
type OfScale = readonly [scale: number, zeros: number, positive: Side, negative: Side];

/**
 * The quantile of what the engine says of a bucket and group: JSON of the counts by the scale that they were counted at,
 * `[[0,4,[[1],[2]],[[],[]]]]`. Exponential inside a bucket as in PromQL's native histograms: base^(index + fraction),
 * where base = 2^(2^-scale); the zero bucket is 0, whatever its threshold: the exporter does not store that. `null` when
 * nothing was observed, or the value is beyond all numbers.
 */
export function exponentialQuantile(text: string, level: number): number | null {
  const answered: readonly object[] = JSON.parse(text);
  // The statement makes tuples of these; some engines name their parts.
  const parts = answered.map((part) => Object.values(part) as unknown as OfScale);
  const scale = Math.min(...parts.map(([own]) => own));
  const negative = sideAt(
    scale,
    parts.map(([own, , , side]) => [own, side]),
  );
  const positive = sideAt(
    scale,
    parts.map(([own, , side]) => [own, side]),
  );
  const zeros = parts.reduce((sum, [, own]) => sum + own, 0);
  // In the order of their values: negative ones from the largest magnitude, zero, positive ones.
  const found = quantilePlace([...negative[1].toReversed(), zeros, ...positive[1]], level);
  if (!found) return null;
  const steps = found.place - negative[1].length;
  if (steps === 0) return 0;
  const index = Number(steps < 0 ? negative[0].at(-1 - found.place) : positive[0][steps - 1]);
  const magnitude = (fraction: number): number => 2 ** ((index + fraction) * 2 ** -scale);
  const value = steps < 0 ? -magnitude(1 - found.fraction) : magnitude(found.fraction);
  return Number.isFinite(value) ? value : null;
}

/** What was counted at several scales, seen at the smallest, by index: each step down joins two buckets. */
function sideAt(scale: number, parts: readonly (readonly [scale: number, side: Side])[]): Side {
  const [only, ...more] = parts;
  if (only && more.length === 0) return only[1];
  const counts = new Map<number, number>();
  for (const [own, [indexes, added]] of parts) {
    const joined = 2 ** Math.min(own - scale, bucketStepsMost);
    for (const [place, each] of indexes.entries()) {
      const index = Math.floor(Number(each) / joined);
      counts.set(index, (counts.get(index) ?? 0) + (added[place] ?? 0));
    }
  }
  const sorted = [...counts].sort(([a], [b]) => a - b);
  return [sorted.map(([index]) => index), sorted.map(([, count]) => count)];
}
