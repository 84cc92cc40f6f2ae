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

const day = 86_400_000;
const tenMinutes = 600_000;

/**
 * Each cumulative point inside the range beside the one before it in its stream; delta and cumulative points of one set
 * are apart. Looks at all points there are: the range decides only which of them are shown.
 */
export function stepsOf<P extends PointFact>(
  points: readonly P[],
  series: SlowSeries,
  window: Window,
  { size, isReset }: StepRules<P>,
): Step<P>[] {
  const relevant = points.filter(
    (point) => point.metricName === series.metricName && (series.filter?.holds(point) ?? true),
  );
  const sets = [...groupedBy(relevant, ({ set, isDelta }) => `${isDelta} ${set}`).values()];
  return sets.flatMap((own) => {
    const lastOfStream = new Map<number, P>();
    let lastOfSet: P | undefined;
    return own
      .toSorted((a, b) => a.atMs - b.atMs || size(a) - size(b))
      .flatMap((point): Step<P>[] => {
        const [inStream, inSet] = [lastOfStream.get(point.startMs), lastOfSet].map((last) => nearOf(last, point));
        lastOfStream.set(point.startMs, point);
        lastOfSet = point;
        if (point.atMs < window.startMs || point.atMs >= window.endMs) return [];
        if (point.isDelta) return [{ point, before: undefined, counts: 'whole' }];
        const before = inStream ?? (inSet && !hasStart(point) && !hasStart(inSet) ? inSet : undefined);
        if (before) return [{ point, before, counts: isReset(point, before) ? 'whole' : 'difference' }];
        const isNew = inSet ? inSet.atMs <= point.startMs : point.atMs - point.startMs < tenMinutes;
        return [{ point, before, counts: hasStart(point) && isNew ? 'whole' : 'nothing' }];
      });
  });
}

function hasStart({ startMs, atMs }: PointFact): boolean {
  return startMs < atMs;
}

function nearOf<P extends PointFact>(last: P | undefined, { atMs }: P): P | undefined {
  return last && atMs - last.atMs < day ? last : undefined;
}

/** When the time began that the gain was observed over, which ends with the point. */
export function observedSince<P extends PointFact>({ point, before, counts }: Step<P>): number {
  if (before) return before.atMs;
  return counts === 'whole' && point.startMs > 0 && hasStart(point) ? point.startMs : point.atMs;
}

/** What a reading of the point adds. */
export function gainOf<P>({ point, before, counts }: Step<P>, reading: (point: P) => number): number {
  if (counts === 'nothing') return 0;
  return reading(point) - (counts === 'difference' && before ? reading(before) : 0);
}
