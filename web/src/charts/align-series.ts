export type Point = readonly [number, number | null];

/** Columns as uPlot takes them: times, then one column per series; `null` is a gap. */
export interface AlignedSeries {
  times: number[];
  values: (number | null)[][];
  /** Per series: points without a neighbour, which a line would not show. */
  isolated: number[][];
}

/**
 * Puts series on common times. A bucket that is absent from a series is a gap in it; where a whole stretch is absent
 * from all of them, one time is added so that the gap shows.
 */
export function alignSeries(series: readonly { points: readonly Point[] }[], granularityMs?: number): AlignedSeries {
  const times = withGaps([...new Set(series.flatMap(({ points }) => points.map(([at]) => at)))], granularityMs);
  const slot = new Map(times.map((at, index) => [at, index]));
  const values = series.map(({ points }) => {
    const column = new Array<number | null>(times.length).fill(null);
    for (const [at, value] of points) {
      const index = slot.get(at);
      if (index !== undefined) column[index] = value;
    }
    return column;
  });
  return { times, values, isolated: values.map(isolatedOf) };
}

function withGaps(found: number[], granularityMs: number | undefined): number[] {
  found.sort((a, b) => a - b);
  if (!granularityMs) return found;
  return found.flatMap((at, index) => {
    const before = found[index - 1];
    return before !== undefined && at - before > granularityMs * 1.5 ? [before + granularityMs, at] : [at];
  });
}

function isolatedOf(column: readonly (number | null)[]): number[] {
  return column.flatMap((value, index) => {
    const alone = (column[index - 1] ?? null) === null && (column[index + 1] ?? null) === null;
    return value !== null && alone ? [index] : [];
  });
}

/**
 * Sums for stacked bars: column i is the sum of the visible columns from i on, so that each bar, drawn in order, leaves
 * its own part of the one before it in sight. Hidden columns are empty.
 */
export function stackColumns(
  values: readonly (readonly (number | null)[])[],
  isHidden: (index: number) => boolean,
): (number | null)[][] {
  const length = values[0]?.length ?? 0;
  const sums = new Array<number>(length).fill(0);
  const stacked: (number | null)[][] = [];
  for (let index = values.length - 1; index >= 0; index -= 1) {
    const column = values[index] ?? [];
    stacked[index] = isHidden(index)
      ? new Array<null>(length).fill(null)
      : column.map((value, row) => {
          if (value === null) return null;
          sums[row] = (sums[row] ?? 0) + value;
          return sums[row] ?? 0;
        });
  }
  return stacked;
}

export interface SeriesSummary {
  last: number | null;
  mean: number | null;
  max: number | null;
}

export function summarize(points: readonly Point[]): SeriesSummary {
  const known = points.flatMap(([, value]) => (value === null ? [] : [value]));
  if (known.length === 0) return { last: null, mean: null, max: null };
  return {
    last: known.at(-1) ?? null,
    mean: known.reduce((sum, value) => sum + value, 0) / known.length,
    max: known.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
  };
}
