import type { AggregateName } from '../../../src/query/chart-query.ts';
import { groupedBy, total } from './facts.ts';
import { cellsOf, type SlowCell, type SlowSeries, type SlowSource, type Window } from './slow-cells.ts';
import { gainOf, type PointFact, pointsOf, type Step, stepsOf } from './slow-points.ts';

interface DistributionPoint extends PointFact {
  count: number;
  sum: number;
}

export interface HistogramPoint extends DistributionPoint {
  bounds: readonly number[];
  counts: readonly number[];
}

export interface Side {
  offset: number;
  counts: readonly number[];
}

export interface ExponentialPoint extends DistributionPoint {
  scale: number;
  zeros: number;
  positive: Side;
  negative: Side;
}

export interface SummaryPoint extends DistributionPoint {
  /** Value by level. */
  recorded: ReadonlyMap<number, number>;
}

/** Count, sum or avg of what the points gained. */
function totalsOf(aggregate: AggregateName, steps: readonly Step<DistributionPoint>[]): number | null {
  const count = total(steps.map((step) => gainOf(step, (point) => point.count)));
  const sum = total(steps.map((step) => gainOf(step, (point) => point.sum)));
  if (aggregate === 'count') return count;
  if (aggregate === 'sum') return sum;
  return count === 0 ? null : sum / count;
}

/** A quantile of nothing is not there at all; other values of nothing are. */
function cellsOfSteps<P extends DistributionPoint>(
  series: SlowSeries,
  steps: readonly Step<P>[],
  window: Window,
  quantile: (steps: readonly Step<P>[], level: number) => number | null | undefined,
): SlowCell[] {
  return cellsOf(steps, ({ point }) => point, window).flatMap(({ items, ...place }) => {
    const value = series.aggregate === 'quantile' ? quantile(items, series.level) : totalsOf(series.aggregate, items);
    return value === undefined ? [] : [{ ...place, rows: items.length, value }];
  });
}

export class SlowHistograms implements SlowSource {
  readonly #points: readonly HistogramPoint[];

  constructor(points: readonly HistogramPoint[]) {
    this.#points = points;
  }

  read(series: SlowSeries, window: Window): SlowCell[] {
    const steps = stepsOf(this.#points, series, window, {
      size: ({ count }) => count,
      isReset: (now, before) =>
        now.bounds.join() !== before.bounds.join() ||
        now.count < before.count ||
        now.counts.some((each, place) => each < (before.counts[place] ?? 0)),
    });
    return cellsOfSteps(series, steps, window, histogramQuantile);
  }
}

/** As in PromQL: linear inside the bucket, which begins at 0 if it is the first; beyond the last bound is that bound. */
function histogramQuantile(steps: readonly Step<HistogramPoint>[], level: number): number | null | undefined {
  const counts = new Map<number, number>();
  for (const step of steps) {
    for (const place of step.point.counts.keys()) {
      const edge = step.point.bounds[place] ?? Number.POSITIVE_INFINITY;
      counts.set(edge, (counts.get(edge) ?? 0) + gainOf(step, (point) => point.counts[place] ?? 0));
    }
  }
  const observed = total([...counts.values()]);
  if (observed === 0) return undefined;
  const rank = observed * level;
  let below = 0;
  let lower: number | undefined;
  for (const [edge, count] of [...counts].sort(([a], [b]) => a - b)) {
    if (count > 0 && below + count >= rank) {
      if (edge === Number.POSITIVE_INFINITY) return lower ?? null;
      if (lower === undefined && edge <= 0) return edge;
      return (lower ?? 0) + ((edge - (lower ?? 0)) * (rank - below)) / count;
    }
    below += count;
    lower = edge;
  }
  return undefined;
}

export class SlowExponentialHistograms implements SlowSource {
  readonly #points: readonly ExponentialPoint[];

  constructor(points: readonly ExponentialPoint[]) {
    this.#points = points;
  }

  read(series: SlowSeries, window: Window): SlowCell[] {
    const steps = stepsOf(this.#points, series, window, {
      size: ({ count }) => count,
      isReset: (now, before) => {
        const scale = Math.min(now.scale, before.scale);
        const [held, holds] = [bucketsAt(before, scale), bucketsAt(now, scale)];
        return now.count < before.count || [...held].some(([key, each]) => (holds.get(key) ?? 0) < each);
      },
    });
    return cellsOfSteps(series, steps, window, exponentialQuantile);
  }
}

/**
 * Counts by place on the line of values, at a scale that is not finer than the point's own: bucket `i` of positive
 * values is at i + 0.5 + far, that of negative ones at the same distance below 0, which is the zero bucket.
 */
function bucketsAt({ scale, zeros, positive, negative }: ExponentialPoint, wanted: number): Map<number, number> {
  const found = new Map<number, number>([[0, zeros]]);
  for (const [sign, { offset, counts }] of [[1, positive] as const, [-1, negative] as const]) {
    for (const [place, each] of counts.entries()) {
      const key = sign * (Math.floor((offset + place) / 2 ** (scale - wanted)) + 0.5 + far);
      found.set(key, (found.get(key) ?? 0) + each);
    }
  }
  return found;
}
const far = 1e6;

/** At the smallest scale that any of the steps was seen at; exponential inside the bucket, as in PromQL. */
function exponentialQuantile(steps: readonly Step<ExponentialPoint>[], level: number): number | undefined {
  const scaleOf = ({ point, before, counts }: Step<ExponentialPoint>): number =>
    counts === 'difference' && before ? Math.min(point.scale, before.scale) : point.scale;
  const scale = Math.min(...steps.map(scaleOf));
  const gains = new Map<number, number>();
  for (const { point, before, counts } of steps) {
    if (counts === 'nothing') continue;
    const held = counts === 'difference' && before ? bucketsAt(before, scale) : new Map<number, number>();
    for (const [key, each] of bucketsAt(point, scale)) {
      gains.set(key, (gains.get(key) ?? 0) + each - (held.get(key) ?? 0));
    }
  }
  const observed = total([...gains.values()]);
  if (observed === 0) return undefined;
  const rank = observed * level;
  let below = 0;
  for (const [key, count] of [...gains].sort(([a], [b]) => a - b)) {
    if (count > 0 && below + count >= rank) return valueIn(key, (rank - below) / count, scale);
    below += count;
  }
  return undefined;
}

function valueIn(key: number, fraction: number, scale: number): number {
  if (key === 0) return 0;
  const index = Math.abs(key) - far - 0.5;
  const base = 2 ** (2 ** -scale);
  return key > 0 ? base ** (index + fraction) : -(base ** (index + 1 - fraction));
}

/** Count, sum and avg of what the counters gained; of recorded quantiles the last of each set, then the largest. */
export class SlowSummaries implements SlowSource {
  readonly #points: readonly SummaryPoint[];

  constructor(points: readonly SummaryPoint[]) {
    this.#points = points;
  }

  read(series: SlowSeries, window: Window): SlowCell[] {
    if (series.aggregate === 'quantile') return this.#recorded(series, window);
    const steps = stepsOf(this.#points, series, window, {
      size: ({ count }) => count,
      isReset: (now, before) => now.count < before.count,
    });
    return cellsOfSteps(series, steps, window, () => undefined);
  }

  #recorded(series: SlowSeries, window: Window): SlowCell[] {
    const recordings = pointsOf(this.#points, series, window, 0).flatMap((point) => {
      const value = point.recorded.get(series.level);
      return value === undefined || Number.isNaN(value) ? [] : [{ point, value }];
    });
    return cellsOf(recordings, ({ point }) => point, window).map(({ items, ...place }) => {
      const lasts = [...groupedBy(items, ({ point }) => point.set).values()].map(
        (own) => own.reduce((a, b) => (isLater(b, a) ? b : a)).value,
      );
      return { ...place, rows: items.length, value: Math.max(...lasts) };
    });
  }
}

interface Recording {
  point: SummaryPoint;
  value: number;
}

function isLater(a: Recording, b: Recording): boolean {
  return a.point.atMs > b.point.atMs || (a.point.atMs === b.point.atMs && a.value > b.value);
}
