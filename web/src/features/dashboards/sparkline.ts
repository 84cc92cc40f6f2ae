/** Points of a chart: milliseconds and value. */
export type SparkPoint = readonly [number, number | null];

export interface Sparkline {
  /** Of the line, broken where values are missing. */
  line: string;
  /** From the line down to the ground. */
  area: string;
}

export interface SparkFrame {
  startMs: number;
  endMs: number;
  /** Points that are no further apart are joined, whatever is missing between them. */
  joinMs?: number | undefined;
  /** The least value at the top: lines with the same one are on one scale. */
  high?: number;
  /** The greatest value at the ground, if it is below zero. */
  low?: number;
}

/** Paths in a box of 100 × 100 whose ground is zero, or the lowest value where one is below. */
export function sparkline(
  points: readonly SparkPoint[],
  { startMs, endMs, joinMs = 0, high: leastHigh = 0, low: greatestLow = 0 }: SparkFrame,
): Sparkline {
  const values = points.flatMap(([, value]) => (value === null ? [] : [value]));
  const low = Math.min(0, greatestLow, ...values);
  const high = Math.max(...values, low, leastHigh);
  const x = (atMs: number) => round(((atMs - startMs) / Math.max(endMs - startMs, 1)) * 100);
  const y = (value: number) => round(high === low ? 100 : 100 - ((value - low) / (high - low)) * 100);
  const pieces = runsOf(points, joinMs).map((run) => run.map(([atMs, value]) => `${x(atMs)} ${y(value)}`));
  return {
    line: pieces.map((run) => `M${run.join('L')}`).join(''),
    area: pieces
      .map((run) => `M${run[0]?.split(' ')[0]} 100L${run.join('L')}L${run.at(-1)?.split(' ')[0]} 100Z`)
      .join(''),
  };
}

/** Stretches without a gap. */
function runsOf(points: readonly SparkPoint[], joinMs: number): [number, number][][] {
  const runs: [number, number][][] = [[]];
  let isGap = false;
  for (const [atMs, value] of points) {
    if (value === null) {
      isGap = true;
      continue;
    }
    const before = runs.at(-1)?.at(-1);
    if (isGap && !(before && atMs - before[0] <= joinMs)) runs.push([]);
    runs.at(-1)?.push([atMs, value]);
    isGap = false;
  }
  return runs.filter((run) => run.length > 0);
}

const round = (part: number) => Math.round(part * 100) / 100;
