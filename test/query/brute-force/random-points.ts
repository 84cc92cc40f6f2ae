import { minute, type Row, T0 } from '../telemetry-fixture.ts';
import { total } from './facts.ts';
import type { Random } from './random.ts';
import { regions, services } from './random-events.ts';
import type { ExponentialPoint, HistogramPoint, Side, SummaryPoint } from './slow-distributions.ts';
import type { NumberPoint } from './slow-numbers.ts';
import type { PointFact } from './slow-points.ts';

export const hosts = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
export type Temporality = 'delta' | 'cumulative' | 'both';

/** The instants of one time series: each minute with gaps, some twice, from an hour before T0 to 150 minutes after. */
function randomInstants(random: Random): number[] {
  const firstMinute = random.chance(0.6) ? -60 : random.int(-20, 60);
  const instants: number[] = [];
  for (let atMs = T0 + firstMinute * minute; atMs < T0 + 150 * minute; atMs += minute) {
    if (random.chance(0.01)) atMs += random.int(10, 40) * minute;
    if (random.chance(0.8)) instants.push(atMs + random.pick([0, 0, 1, 30_000, 59_999]));
  }
  return instants;
}

/** Some sets have two concurrent senders, which differ only in their start. */
function randomSenders(random: Random, instants: readonly number[]): number[][] {
  if (random.chance(0.8)) return [[...instants]];
  const isOther = instants.map(() => random.chance(0.5));
  return [true, false].map((which) => instants.filter((_, at) => isOther[at] === which));
}

/** All points of a metric: some attribute sets, each with `next` called from its first instant to its last. */
function randomSeries<P>(
  random: Random,
  metricName: string,
  temporality: Temporality,
  next: (before: P | undefined, isDelta: boolean) => P,
): (PointFact & P)[] {
  return Array.from({ length: 7 }).flatMap((_, index) => {
    const service = random.pick(services);
    const host = hosts[index];
    const maps = {
      Attributes: { ...(host !== undefined && { host }), zone: random.pick(['1', '2']) },
      ResourceAttributes: { region: random.pick(regions) },
    };
    const set = JSON.stringify([service, maps]);
    const lists = temporality === 'both' ? [true, false] : [temporality === 'delta'];
    return lists.flatMap((isDelta) => {
      const instants = randomInstants(random);
      return randomSenders(random, instants).flatMap((sender) => {
        let before: P | undefined;
        let startMs = random.pick([0, (sender[0] ?? 0) - random.pick([0, 30_000, 599_999, 600_000]), T0 + 5 * minute]);
        const startsAnew = random.chance(0.1);
        return sender.map((atMs) => {
          // A new start comes with values from the beginning, mostly.
          const restarts = random.chance(0.04);
          if (restarts) startMs = atMs - random.pick([0, 1, 20_000, 90_000]);
          else if (startsAnew) startMs = atMs;
          const reading = next(restarts && random.chance(0.9) ? undefined : before, isDelta);
          before = reading;
          return { ...reading, metricName, set, isDelta, startMs, atMs, columns: { ServiceName: service }, maps };
        });
      });
    });
  });
}

export function randomGauges(random: Random, metricName: string): NumberPoint[] {
  return randomSeries(random, metricName, 'cumulative', () => ({
    value: random.chance(0.05) ? random.pick([Number.NaN, Number.POSITIVE_INFINITY]) : random.int(-50, 50),
    isMonotonic: true,
  }));
}

export function randomSums(
  random: Random,
  metricName: string,
  temporality: Temporality,
  isMonotonic = true,
): NumberPoint[] {
  return randomSeries<{ value: number; isMonotonic: boolean }>(random, metricName, temporality, (before, isDelta) => {
    const gain = random.int(isMonotonic ? 0 : -9, 9);
    const restarts = isDelta || before === undefined || Number.isNaN(before.value) || random.chance(0.05);
    const value = random.chance(0.01) ? Number.NaN : gain + (restarts ? 0 : before.value);
    return { value, isMonotonic };
  });
}

const layouts = [[10, 30], [-20, 0, 20], [10, 20, 30], []];

export function randomHistograms(random: Random, metricName: string, temporality: Temporality): HistogramPoint[] {
  type Reading = Pick<HistogramPoint, 'bounds' | 'counts' | 'count' | 'sum'>;
  const usual = random.pick(layouts);
  return randomSeries<Reading>(random, metricName, temporality, (before, isDelta) => {
    const bounds = random.chance(0.05) ? random.pick(layouts) : usual;
    const goesOn = !isDelta && before?.bounds === bounds && !random.chance(0.05);
    const counts = Array.from({ length: bounds.length + 1 }, (_, place) => {
      const gained = random.chance(0.5) ? random.int(0, 4) : 0;
      return gained + (goesOn ? (before.counts[place] ?? 0) : 0);
    });
    return { bounds, counts, count: total(counts), sum: random.int(0, 20) + (goesOn ? before.sum : 0) };
  });
}

const randomSide = (random: Random): Side => ({
  offset: random.int(-4, 4),
  counts: Array.from({ length: random.int(0, 4) }, () => random.int(0, 3)),
});

type ExponentialReading = Pick<ExponentialPoint, 'scale' | 'zeros' | 'positive' | 'negative' | 'count' | 'sum'>;

export function randomExponentials(random: Random, metricName: string, temporality: Temporality): ExponentialPoint[] {
  return randomSeries<ExponentialReading>(random, metricName, temporality, (before, isDelta) => {
    const goesOn = !isDelta && before !== undefined && !random.chance(0.05);
    const own = { zeros: random.int(0, 2), positive: randomSide(random), negative: randomSide(random) };
    const scale = goesOn ? before.scale - (random.chance(0.03) ? 1 : 0) : random.int(-1, 3);
    const steps = goesOn ? before.scale - scale : 0;
    const positive = goesOn ? joined(own.positive, before.positive, steps) : own.positive;
    const negative = goesOn ? joined(own.negative, before.negative, steps) : own.negative;
    const zeros = own.zeros + (goesOn ? before.zeros : 0);
    const count = zeros + total(positive.counts) + total(negative.counts);
    return { scale, zeros, positive, negative, count, sum: random.int(0, 20) + (goesOn ? before.sum : 0) };
  });
}

/** The buckets of `before`, `steps` scales further down, and these. */
function joined(own: Side, before: Side, steps: number): Side {
  const counts = new Map<number, number>();
  const add = (index: number, each: number): void => void counts.set(index, (counts.get(index) ?? 0) + each);
  for (const [place, each] of own.counts.entries()) add(own.offset + place, each);
  for (const [place, each] of before.counts.entries()) add(Math.floor((before.offset + place) / 2 ** steps), each);
  if (counts.size === 0) return own;
  const [first, last] = [Math.min(...counts.keys()), Math.max(...counts.keys())];
  return { offset: first, counts: Array.from({ length: last - first + 1 }, (_, at) => counts.get(first + at) ?? 0) };
}

export function randomSummaries(random: Random, metricName: string): SummaryPoint[] {
  type Reading = Pick<SummaryPoint, 'count' | 'sum' | 'recorded'>;
  return randomSeries<Reading>(random, metricName, 'cumulative', (before) => {
    const restarts = before === undefined || random.chance(0.05);
    const levels = [0.5, 0.9, 0.99].filter(() => random.chance(0.8));
    const recorded = new Map(levels.map((level) => [level, random.chance(0.1) ? Number.NaN : random.int(-9, 99)]));
    return {
      count: random.int(0, 5) + (restarts ? 0 : before.count),
      sum: random.int(0, 50) + (restarts ? 0 : before.sum),
      recorded,
    };
  });
}

function rowOfPoint({ metricName, atMs, startMs, isDelta, columns, maps }: PointFact): Row {
  return {
    MetricName: metricName,
    TimeUnix: atMs,
    StartTimeUnix: startMs,
    AggregationTemporality: isDelta ? 1 : 2,
    ...columns,
    ...maps,
  };
}

function withoutTemporality({ AggregationTemporality: _, ...row }: Row): Row {
  return row;
}

export const rowOfGauge = (point: NumberPoint): Row => ({
  ...withoutTemporality(rowOfPoint(point)),
  Value: point.value,
});

export const rowOfSum = (point: NumberPoint): Row => ({
  ...rowOfPoint(point),
  Value: point.value,
  IsMonotonic: point.isMonotonic,
});

export const rowOfHistogram = (point: HistogramPoint): Row => ({
  ...rowOfPoint(point),
  ExplicitBounds: point.bounds,
  BucketCounts: point.counts,
  Count: point.count,
  Sum: point.sum,
});

export const rowOfExponential = (point: ExponentialPoint): Row => ({
  ...rowOfPoint(point),
  Scale: point.scale,
  ZeroCount: point.zeros,
  PositiveOffset: point.positive.offset,
  PositiveBucketCounts: point.positive.counts,
  NegativeOffset: point.negative.offset,
  NegativeBucketCounts: point.negative.counts,
  Count: point.count,
  Sum: point.sum,
});

export const rowOfSummary = (point: SummaryPoint): Row => ({
  ...withoutTemporality(rowOfPoint(point)),
  Count: point.count,
  Sum: point.sum,
  'ValueAtQuantiles.Quantile': [...point.recorded.keys()],
  'ValueAtQuantiles.Value': [...point.recorded.values()],
});
