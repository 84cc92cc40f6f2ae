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
import { gainOf, observedSince, type PointFact, pointsOf, type Step, stepsOf } from './slow-points.ts';

export interface NumberPoint extends PointFact {
  value: number;
  isMonotonic: boolean;
}

/**
 * Gauges: over time the last value of each attribute set in each bucket, else all points; or the last less the first of
 * each set; then the aggregate (decisions C9).
 */
export class SlowGauges implements SlowSource {
  readonly #points: readonly NumberPoint[];

  constructor(points: readonly NumberPoint[]) {
    this.#points = points.filter(({ value }) => Number.isFinite(value));
  }

  read(series: SlowSeries, window: Window): SlowCell[] {
    return levelCells(calculated(this.#points, series), series, window);
  }
}

/** The points with what is calculated of their values, where that is a number. */
function calculated(points: readonly NumberPoint[], { calculation }: SlowSeries): readonly NumberPoint[] {
  if (!calculation) return points;
  return points.flatMap((point) => {
    const value = calculation.of(point.value, point);
    return value === undefined || !Number.isFinite(value) ? [] : [{ ...point, value }];
  });
}

function levelCells(all: readonly NumberPoint[], series: SlowSeries, window: Window): SlowCell[] {
  const points = pointsOf(all, series, window, 0).filter((point) => isInside(point, window));
  return cellsOf(points, (point) => point, window).map(({ items, ...place }) => {
    const levels = series.overChanges ? changesOf(items) : levelsOf(items, window);
    return { ...place, rows: items.length, value: ofMeasured(series, levels) };
  });
}

function levelsOf(points: readonly NumberPoint[], { hasTimeAxis = true }: Window): Measured[] {
  if (!hasTimeAxis) return points.map(({ value, atMs }) => ({ value, atMs, weight: 1 }));
  return [...groupedBy(points, ({ set }) => set).values()].map(lastOf);
}

function changesOf(points: readonly NumberPoint[]): Measured[] {
  return [...groupedBy(points, ({ set }) => set).values()].map((own) => {
    const first = own.reduce((a, b) => (b.atMs < a.atMs || (b.atMs === a.atMs && b.value < a.value) ? b : a));
    const last = lastOf(own);
    return { ...last, value: last.value - first.value };
  });
}

function lastOf(points: readonly NumberPoint[]): Measured {
  const { value, atMs } = points.reduce((a, b) =>
    b.atMs > a.atMs || (b.atMs === a.atMs && b.value > a.value) ? b : a,
  );
  return { value, atMs, weight: 1 };
}

/**
 * Sums: what each attribute set gained in each bucket, then the aggregate over the sets; cumulative ones that may go down
 * are levels to all aggregates but increase and rate (decisions C9).
 */
export class SlowSums implements SlowSource {
  readonly #points: readonly NumberPoint[];

  constructor(points: readonly NumberPoint[]) {
    this.#points = points.filter(({ value }) => Number.isFinite(value));
  }

  read(series: SlowSeries, window: Window): SlowCell[] {
    const isAboutGains = series.aggregate === 'increase' || series.aggregate === 'rate';
    const scaleOf = (point: NumberPoint): number | undefined =>
      series.calculation ? series.calculation.of(1, point) : 1;
    const known = this.#points.filter((point) => scaleOf(point) !== undefined);
    const steps = stepsOf(known, series, window, {
      size: ({ value }) => value,
      isReset: (now, before) => now.isMonotonic && now.value < before.value,
    });
    const cells = cellsOf(steps, ({ point }) => point, window);
    return cells.flatMap(({ items, ...place }): SlowCell[] => {
      const counted = isAboutGains ? items : items.filter(({ point }) => !isLevel(point));
      const held = isAboutGains ? [] : items.filter(({ point }) => isLevel(point)).map(({ point }) => point);
      const gains = gainsOf(counted, (point) => scaleOf(point) ?? 0);
      const seconds = partInside(place.bucketMs, window);
      const value =
        series.aggregate === 'rate'
          ? total(gains.map(({ value: gain, sinceMs, atMs }) => gain / Math.max(seconds, (atMs - sinceMs) / 1000)))
          : ofMeasured(series, [...gains, ...levelsOf(calculated(held, series), window)]);
      return [{ ...place, rows: items.length, value }];
    });
  }
}

function isLevel({ isMonotonic, isDelta }: NumberPoint): boolean {
  return !isMonotonic && !isDelta;
}

/** Of each attribute set. */
function gainsOf(
  steps: readonly Step<NumberPoint>[],
  scaleOf: (point: NumberPoint) => number,
): (Measured & { sinceMs: number })[] {
  return [...groupedBy(steps, ({ point }) => point.set).values()].map((own) => ({
    value: total(own.map((step) => gainOf(step, (point) => point.value) * scaleOf(step.point))),
    atMs: Math.max(...own.map(({ point }) => point.atMs)),
    sinceMs: Math.min(...own.map(observedSince)),
    weight: 1,
  }));
}

function partInside(bucketMs: number, { startMs, endMs, granularityMs }: Window): number {
  return (Math.min(bucketMs + granularityMs, endMs) - Math.max(bucketMs, startMs)) / 1000;
}

function ofMeasured({ aggregate, level }: SlowSeries, measured: readonly Measured[]): number | null {
  switch (aggregate) {
    case 'count':
      return measured.length;
    case 'count_distinct':
      return new Set(measured.map(({ value }) => value)).size;
    case 'increase':
      return total(measured.map(({ value }) => value));
    default:
      return aggregateNumbers(aggregate, measured, level);
  }
}
