export type Point = readonly [number, number | null];

export interface SeriesSummary {
  last: number | null;
  mean: number | null;
  max: number | null;
}

/** Of a series without a value. */
export const noSummary: SeriesSummary = { last: null, mean: null, max: null };

/** A value; `null` is a gap, and `undefined` no point but no gap either: the line continues to the next point. */
export type Slot = number | null | undefined;

/** Columns as uPlot takes them: times, then one column per series. */
export interface AlignedSeries {
  times: number[];
  values: Slot[][];
  /** Per series: points without a neighbour, which a line would not show. */
  isolated: (readonly number[])[];
  /** Per series: whether it has no gap. */
  whole: boolean[];
  /** Per series; gaps do not count. */
  summaries: SeriesSummary[];
}

type Points = readonly Point[];

// Charts have tens of thousands of points, most series have the same times, and a page that was just opened is
// interpreted, not compiled: each point is visited once, and nothing is allocated for it.

export interface Spacing {
  granularityMs?: number | undefined;
  /** Points that are no further apart belong together, whatever is missing between them. */
  joinMs?: number | undefined;
}

/**
 * Puts series on common times. A bucket that is absent from a series is a gap in it; where a whole stretch is absent
 * from all of them, one time is added so that the gap shows.
 */
export function alignSeries(
  series: readonly { points: Points }[],
  { granularityMs, joinMs = 0 }: Spacing = {},
): AlignedSeries {
  const known = series.map(({ points }) => points);
  return aligned(alongFirst(known, granularityMs) ?? alongAll(known, granularityMs), joinMs);
}

interface Columns {
  times: number[];
  columns: Column[];
}

/** Where each series has times of the first one only, in order. */
function alongFirst(series: readonly Points[], granularityMs: number | undefined): Columns | undefined {
  const first = (series[0] ?? []).map((point) => point[0]);
  if (!first.every((at, index) => index === 0 || at > (first[index - 1] ?? at))) return undefined;
  const times = withGaps(first, granularityMs);
  const columns: Column[] = [];
  for (const points of series) {
    const column = columnAlong(times, points);
    if (!column) return undefined;
    columns.push(column);
  }
  return { times, columns };
}

function alongAll(series: readonly Points[], granularityMs: number | undefined): Columns {
  const found = new Set(series.flatMap((points) => points.map((point) => point[0])));
  const times = withGaps(
    [...found].sort((a, b) => a - b),
    granularityMs,
  );
  const slots = new Map(times.map((at, index) => [at, index]));
  const columns = series.map((points) => {
    const column = emptyColumn(times.length);
    for (const point of points) put(column, slots.get(point[0]) ?? 0, point[1]);
    return column;
  });
  return { times, columns };
}

interface Column {
  values: Slot[];
  known: number;
  sum: number;
  max: number;
  last: number | null;
}

function emptyColumn(length: number): Column {
  const values = new Array<Slot>(length).fill(null);
  return { values, known: 0, sum: 0, max: Number.NEGATIVE_INFINITY, last: null };
}

function put(column: Column, slot: number, value: number | null): void {
  column.values[slot] = value;
  if (value === null) return;
  column.known++;
  column.sum += value;
  column.last = value;
  if (value > column.max) column.max = value;
}

/** `undefined` if a point has a time that is not among them, or is out of order. */
function columnAlong(times: readonly number[], points: Points): Column | undefined {
  const column = emptyColumn(times.length);
  const { values } = column;
  let [slot, known, sum, max] = [0, 0, 0, Number.NEGATIVE_INFINITY];
  for (let index = 0; index < points.length; index++) {
    const point = points[index];
    if (!point) continue;
    // Taken apart as `[at, value]` it would be iterated over.
    const at = point[0];
    const value = point[1];
    if (times[slot] !== at) slot = slotOf(times, at, slot);
    if (times[slot] !== at) return undefined;
    values[slot++] = value;
    if (value === null) continue;
    known++;
    sum += value;
    column.last = value;
    if (value > max) max = value;
  }
  return Object.assign(column, { known, sum, max });
}

/** The first place from `slot` on whose time is not before `at`. */
function slotOf(times: readonly number[], at: number, slot: number): number {
  let place = slot;
  while ((times[place] ?? at) < at) place++;
  return place;
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

const none: readonly number[] = [];

function aligned({ times, columns }: Columns, joinMs: number): AlignedSeries {
  // A time may be there twice.
  const isWhole = ({ known, values }: Column) => known >= times.length && !values.includes(null);
  if (joinMs > 0) for (const column of columns) if (!isWhole(column)) join(times, column.values, joinMs);
  return {
    times,
    values: columns.map(({ values }) => values),
    isolated: columns.map((column) => (isWhole(column) ? none : isolatedOf(column.values))),
    whole: columns.map(isWhole),
    summaries: columns.map(({ known, sum, max, last }) => (known === 0 ? noSummary : { last, mean: sum / known, max })),
  };
}

/** Gaps between points that are close enough are none. */
function join(times: readonly number[], values: Slot[], joinMs: number): void {
  let before = -1;
  for (let index = 0; index < values.length; index++) {
    if (values[index] === null) continue;
    const isNear = before >= 0 && (times[index] ?? 0) - (times[before] ?? 0) <= joinMs;
    if (isNear && index - before > 1) values.fill(undefined, before + 1, index);
    before = index;
  }
}

function isolatedOf(column: readonly Slot[]): number[] {
  const isolated: number[] = [];
  const isGap = (index: number) => index < 0 || index >= column.length || column[index] === null;
  for (let index = 0; index < column.length; index++) {
    if (!isGap(index) && column[index] !== undefined && isGap(index - 1) && isGap(index + 1)) isolated.push(index);
  }
  return isolated;
}

/**
 * Sums for stacks: column i is the sum of the visible columns from i on, so that each bar or area, drawn in order, leaves
 * its own part of the one before it in sight. Hidden columns are empty.
 */
export function stackColumns(
  values: readonly (readonly Slot[])[],
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
          if (value === null || value === undefined) return null;
          sums[row] = (sums[row] ?? 0) + value;
          return sums[row] ?? 0;
        });
  }
  return stacked;
}
