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
  const times = withGaps(timesOf(series), granularityMs);
  const slots = new Map(times.map((at, index) => [at, index]));
  const values = series.map(({ points }) => columnOf(points, times, slots));
  return { times, values, isolated: values.map(isolatedOf) };
}

// Charts have tens of thousands of points, and most series have the same times: nothing is made per point, and nothing
// looked up that stands where it is expected.

function timesOf(series: readonly { points: readonly Point[] }[]): number[] {
  const first = series[0]?.points ?? [];
  const found = new Set(first.map((point) => point[0]));
  for (const { points } of series.slice(1)) {
    let index = 0;
    for (const point of points) {
      if (first[index++]?.[0] !== point[0]) found.add(point[0]);
    }
  }
  return [...found].sort((a, b) => a - b);
}

function columnOf(points: readonly Point[], times: readonly number[], slots: ReadonlyMap<number, number>) {
  const column = new Array<number | null>(times.length).fill(null);
  let next = 0;
  for (const point of points) {
    const slot = times[next] === point[0] ? next : (slots.get(point[0]) ?? 0);
    column[slot] = point[1];
    next = slot + 1;
  }
  return column;
}

function withGaps(found: number[], granularityMs: number | undefined): number[] {
  if (!granularityMs) return found;
  const times: number[] = [];
  let before: number | undefined;
  for (const at of found) {
    if (before !== undefined && at - before > granularityMs * 1.5) times.push(before + granularityMs);
    times.push(at);
    before = at;
  }
  return times;
}

function isolatedOf(column: readonly (number | null)[]): number[] {
  const isolated: number[] = [];
  for (let index = 0; index < column.length; index++) {
    if (column[index] === null) continue;
    if ((column[index - 1] ?? null) === null && (column[index + 1] ?? null) === null) isolated.push(index);
  }
  return isolated;
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
  let [last, sum, max, known]: [number | null, number, number, number] = [null, 0, Number.NEGATIVE_INFINITY, 0];
  for (const point of points) {
    const value = point[1];
    if (value === null) continue;
    last = value;
    sum += value;
    max = Math.max(max, value);
    known++;
  }
  return known === 0 ? { last: null, mean: null, max: null } : { last, mean: sum / known, max };
}
