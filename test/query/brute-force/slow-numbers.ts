import { groupedBy, total } from './facts.ts';
import {
  aggregateNumbers,
  cellsOf,
  isInside,
  type Measured,
  type SlowCell,
  type SlowSeries,
  type SlowSource,
  type Window,
} from './slow-cells.ts';
import { gainOf, type PointFact, pointsOf, stepsOf } from './slow-points.ts';

export interface NumberPoint extends PointFact {
  value: number;
  isMonotonic: boolean;
}

/** Gauges: the last value of each attribute set in each bucket, then the aggregate over the sets (decisions C9). */
export class SlowGauges implements SlowSource {
  readonly #points: readonly NumberPoint[];

  constructor(points: readonly NumberPoint[]) {
    this.#points = points.filter(({ value }) => Number.isFinite(value));
  }

  read(series: SlowSeries, window: Window): SlowCell[] {
    const points = pointsOf(this.#points, series, window, 0).filter((point) => isInside(point, window));
    return cellsOf(points, (point) => point, window).map(({ items, ...place }) => {
      const lasts = [...groupedBy(items, ({ set }) => set).values()].map(lastOf);
      return { ...place, rows: items.length, value: acrossSets(series, lasts, place.bucketMs, window) };
    });
  }
}

function lastOf(points: readonly NumberPoint[]): Measured {
  const { value, atMs } = points.reduce((a, b) =>
    b.atMs > a.atMs || (b.atMs === a.atMs && b.value > a.value) ? b : a,
  );
  return { value, atMs, weight: 1 };
}

/** Counters: what each attribute set gained in each bucket, then the aggregate over the sets (decisions C9). */
export class SlowSums implements SlowSource {
  readonly #points: readonly NumberPoint[];

  constructor(points: readonly NumberPoint[]) {
    this.#points = points.filter(({ value }) => Number.isFinite(value));
  }

  read(series: SlowSeries, window: Window): SlowCell[] {
    const steps = stepsOf(this.#points, series, window, {
      size: ({ value }) => value,
      isReset: (now, before) => now.isMonotonic && now.value < before.value,
    });
    return cellsOf(steps, ({ point }) => point, window).map(({ items, ...place }) => {
      const gains = [...groupedBy(items, ({ point }) => point.set).values()].map((own): Measured => {
        const value = total(own.map((step) => gainOf(step, (point) => point.value)));
        return { value, atMs: Math.max(...own.map(({ point }) => point.atMs)), weight: 1 };
      });
      return { ...place, rows: items.length, value: acrossSets(series, gains, place.bucketMs, window) };
    });
  }
}

function acrossSets(
  { aggregate, level }: SlowSeries,
  sets: readonly Measured[],
  bucketMs: number,
  { startMs, endMs, granularityMs }: Window,
): number | null {
  const sum = total(sets.map(({ value }) => value));
  switch (aggregate) {
    case 'count':
      return sets.length;
    case 'count_distinct':
      return new Set(sets.map(({ value }) => value)).size;
    case 'increase':
      return sum;
    case 'rate':
      return sum / ((Math.min(bucketMs + granularityMs, endMs) - Math.max(bucketMs, startMs)) / 1000);
    default:
      return aggregateNumbers(aggregate, sets, level);
  }
}
