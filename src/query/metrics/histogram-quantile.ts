import { quantilePlace } from './quantile-place.ts';

/** Observations by upper edge, ascending; the last edge may be infinity. */
interface Buckets {
  readonly edges: readonly number[];
  readonly counts: readonly number[];
}

/**
 * Finds quantiles of what the engine says of a bucket and group: JSON of counts by the text of the layout that they were
 * counted in, `{"[10,30]":[1,0,4]}`. Many rows have few layouts.
 */
export function histogramQuantiles(): (text: string, level: number) => number | null {
  const known = new Map<string, readonly number[]>();
  const edgesOf = (layout: string): readonly number[] => {
    const edges = known.get(layout) ?? [...boundsIn(layout), Number.POSITIVE_INFINITY];
    known.set(layout, edges);
    return edges;
  };
  return (text, level) => {
    const byLayout: Record<string, readonly (number | string)[]> = JSON.parse(text);
    const layouts = Object.entries(byLayout);
    const all = layouts.map(([layout, counts]): Buckets => ({ edges: edgesOf(layout), counts: counts.map(Number) }));
    const [only, ...more] = all;
    return quantileOf(only && more.length === 0 ? only : joined(all), level);
  };
}

/**
 * Linear inside the bucket as in PromQL: the first bucket begins at 0 unless its edge is not positive, and whatever lies
 * beyond the last finite edge is that edge. `null` when nothing was observed or there is no finite edge.
 */
function quantileOf({ edges, counts }: Buckets, level: number): number | null {
  const found = quantilePlace(counts, level);
  if (!found) return null;
  const edge = edges[found.place] ?? Number.POSITIVE_INFINITY;
  const lower = edges[found.place - 1];
  if (edge === Number.POSITIVE_INFINITY) return lower ?? null;
  if (lower === undefined && edge <= 0) return edge;
  return (lower ?? 0) + (edge - (lower ?? 0)) * found.fraction;
}

function boundsIn(layout: string): number[] {
  const inside = layout.slice(1, -1);
  return inside === ''
    ? []
    : inside.split(',').map((bound) => (bound === 'inf' ? Number.POSITIVE_INFINITY : Number(bound)));
}

/** Counts by upper edge, so that histograms of different layouts add up; for one layout the sum is exact. */
function joined(all: readonly Buckets[]): Buckets {
  const counts = new Map<number, number>();
  for (const buckets of all) {
    for (const [place, edge] of buckets.edges.entries()) {
      counts.set(edge, (counts.get(edge) ?? 0) + (buckets.counts[place] ?? 0));
    }
  }
  const sorted = [...counts].sort(([a], [b]) => a - b);
  return { edges: sorted.map(([edge]) => edge), counts: sorted.map(([, count]) => count) };
}
