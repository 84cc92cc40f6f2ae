import type { BucketEdges, TimeRange } from '../../../query/chart-query.ts';

/** A range and the buckets that hold parts of it. */
export interface Buckets {
  range: TimeRange;
  granularityMs: number;
  /** Buckets start at this instant plus multiples of the granularity. */
  bucketOriginMs: number;
  /** Where they lie instead if they are of different lengths. */
  bucketEdges?: BucketEdges;
}

/** Buckets that the range touches, the partial ones at its ends included (decisions C2). */
export function countBuckets({ range, granularityMs, bucketOriginMs, bucketEdges }: Buckets): number {
  if (bucketEdges) return edgesOf(range, bucketEdges).length - 1;
  const first = Math.floor((range.startMs - bucketOriginMs) / granularityMs);
  const last = Math.floor((range.endMs - 1 - bucketOriginMs) / granularityMs);
  return last - first + 1;
}

/** The buckets that the range touches, each whole, in the order of time. */
export function bucketsOf(buckets: Buckets): TimeRange[] {
  const { range, granularityMs, bucketOriginMs, bucketEdges } = buckets;
  if (bucketEdges) {
    const edges = edgesOf(range, bucketEdges);
    return edges.slice(1).map((endMs, index) => ({ startMs: edges[index] ?? 0, endMs }));
  }
  const firstMs = Math.floor((range.startMs - bucketOriginMs) / granularityMs) * granularityMs + bucketOriginMs;
  return Array.from({ length: countBuckets(buckets) }, (_, index) => {
    const startMs = firstMs + index * granularityMs;
    return { startMs, endMs: startMs + granularityMs };
  });
}

/** The range made as long as the buckets that it touches. */
export function wholeRange(buckets: Buckets): TimeRange {
  const all = bucketsOf(buckets);
  return { startMs: all[0]?.startMs ?? 0, endMs: all.at(-1)?.endMs ?? 0 };
}

/** The same buckets so much earlier: those of the period before, which lie under these. */
export function movedBack<T extends Buckets>(buckets: T, byMs: number): T {
  const { range, bucketOriginMs, bucketEdges } = buckets;
  return {
    ...buckets,
    range: { startMs: range.startMs - byMs, endMs: range.endMs - byMs },
    bucketOriginMs: bucketOriginMs - byMs,
    ...(bucketEdges && {
      bucketEdges: { key: `${bucketEdges.key} -${byMs}`, atMs: bucketEdges.atMs.map((edgeMs) => edgeMs - byMs) },
    }),
  };
}

/** Of the buckets that the range touches. */
function edgesOf({ startMs, endMs }: TimeRange, { atMs }: BucketEdges): readonly number[] {
  const after = atMs.findIndex((edgeMs) => edgeMs > startMs);
  const end = atMs.findIndex((edgeMs) => edgeMs >= endMs);
  return atMs.slice(Math.max(0, after - 1), end + 1);
}
