import { type Fact, groupedBy } from './facts.ts';
import type { SlowSeries, Window } from './slow-cells.ts';

/** A data point of any kind. */
export interface PointFact extends Fact {
  metricName: string;
  /** Service and all attributes: what makes points one time series. */
  set: string;
  startMs: number;
  isDelta: boolean;
}

/** A point inside the range, and how it counts (decisions C9). */
export interface Step<P> {
  point: P;
  before: P | undefined;
  /** `whole`: as it is. `difference`: what came since `before`. `nothing`: it only says where counting starts. */
  counts: 'whole' | 'difference' | 'nothing';
}

interface StepRules<P> {
  /** Orders points of the same instant. */
  size(point: P): number;
  isReset(now: P, before: P): boolean;
}

/** The points of a series' metric that its filter lets through, from `lookBackMs` before the range to its end. */
export function pointsOf<P extends PointFact>(
  points: readonly P[],
  { metricName, filter }: SlowSeries,
  { startMs, endMs }: Window,
  lookBackMs: number,
): P[] {
  return points.filter(
    (point) =>
      point.metricName === metricName &&
      point.atMs >= startMs - lookBackMs &&
      point.atMs < endMs &&
      (filter?.holds(point) ?? true),
  );
}

/** Walks each time series of the metric, point by point; delta and cumulative points of one set are two series. */
export function stepsOf<P extends PointFact>(
  points: readonly P[],
  series: SlowSeries,
  window: Window,
  { size, isReset }: StepRules<P>,
): Step<P>[] {
  const lookBackMs = Math.max(2 * window.granularityMs, 600_000);
  const relevant = pointsOf(points, series, window, lookBackMs);
  const walked = [...groupedBy(relevant, ({ set, isDelta }) => `${isDelta} ${set}`).values()];
  return walked.flatMap((own) => {
    const sorted = own.toSorted((a, b) => a.atMs - b.atMs || size(a) - size(b));
    return sorted.flatMap((point, place): Step<P>[] => {
      if (point.atMs < window.startMs) return [];
      const before = sorted[place - 1];
      if (point.isDelta) return [{ point, before, counts: 'whole' }];
      if (before) return [{ point, before, counts: isReset(point, before) ? 'whole' : 'difference' }];
      const beganInside = point.startMs >= window.startMs && point.startMs < window.endMs;
      return [{ point, before, counts: beganInside ? 'whole' : 'nothing' }];
    });
  });
}

/** What a reading of the point adds. */
export function gainOf<P>({ point, before, counts }: Step<P>, reading: (point: P) => number): number {
  if (counts === 'nothing') return 0;
  return reading(point) - (counts === 'difference' && before ? reading(before) : 0);
}
