import type { SeriesQuery } from '../chart-query.ts';
import type { CompiledQuery } from '../compiled-query.ts';

/** Observations by upper edge, ascending; the last edge may be infinity. */
interface Buckets {
  readonly edges: readonly number[];
  readonly counts: readonly number[];
}

/**
 * How the quantiles of histograms among the series come of the engine's answer: it adds up the buckets, the place inside
 * a bucket is found here. `undefined` when there are none.
 */
export function quantileDecoders(series: readonly SeriesQuery[]): CompiledQuery['decode'] {
  const quantiles = series.flatMap(({ aggregate, level = 0.5, metric }, index) =>
    aggregate === 'quantile' && metric?.kind === 'histogram' ? [[`v${index}`, level] as const] : [],
  );
  if (quantiles.length === 0) return undefined;
  const read = bucketsReader();
  return new Map(
    quantiles.map(([name, level]) => [
      name,
      (text) => (typeof text === 'string' ? quantileOf(read(text), level) : null),
    ]),
  );
}

/**
 * The quantile, linear inside its bucket as in PromQL: the first bucket begins at 0 unless its edge is not positive, and
 * whatever lies beyond the last finite edge is that edge. `null` when nothing was observed or there is no finite edge.
 */
function quantileOf({ edges, counts }: Buckets, level: number): number | null {
  const rank = counts.reduce((sum, count) => sum + count, 0) * level;
  let below = 0;
  for (const [place, count] of counts.entries()) {
    const reached = below + count;
    if (reached >= rank && reached > 0) {
      const edge = edges[place] ?? Number.POSITIVE_INFINITY;
      const lower = edges[place - 1];
      if (edge === Number.POSITIVE_INFINITY) return lower ?? null;
      if (lower === undefined && edge <= 0) return edge;
      return (lower ?? 0) + (edge - (lower ?? 0)) * ((rank - below) / count);
    }
    below = reached;
  }
  return null;
}

/**
 * Reads what the engine says of a bucket and group: JSON of counts by the text of the layout that they were counted in,
 * `{"[10,30]":[1,0,4]}`. Many rows have few layouts.
 */
function bucketsReader(): (text: string) => Buckets {
  const known = new Map<string, readonly number[]>();
  const edgesOf = (layout: string): readonly number[] => {
    const edges = known.get(layout) ?? [...boundsIn(layout), Number.POSITIVE_INFINITY];
    known.set(layout, edges);
    return edges;
  };
  return (text) => {
    const layouts = Object.entries(JSON.parse(text) as Record<string, readonly (number | string)[]>);
    const all = layouts.map(([layout, counts]): Buckets => ({ edges: edgesOf(layout), counts: counts.map(Number) }));
    const [only, ...more] = all;
    return only && more.length === 0 ? only : joined(all);
  };
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
