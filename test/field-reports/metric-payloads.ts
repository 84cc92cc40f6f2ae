import { attributesOf, metricsOf, nano } from './field-world.ts';

const temporality = { delta: 1, cumulative: 2 } as const;
type Temporality = keyof typeof temporality;

/** One point: seconds after t0, its value, and when its stream began (seconds after t0; a day before when absent). */
export interface Point<V> {
  at: number;
  value: V;
  began?: number;
  attributes?: Record<string, string>;
}

export interface Buckets {
  counts: readonly number[];
  /** Left out: the sender does not send it. */
  sum?: number;
}

export interface ExponentialBuckets {
  scale: number;
  zero?: number;
  positive?: { offset: number; counts: readonly number[] };
  negative?: { offset: number; counts: readonly number[] };
  sum?: number;
}

interface Stream {
  temporality?: Temporality;
  monotonic?: boolean;
  resource?: Record<string, string>;
}

const aDayBefore = -86_400;

function pointOf<V>({ at, began = aDayBefore, attributes = {} }: Point<V>) {
  return { timeUnixNano: nano(at), startTimeUnixNano: nano(began), attributes: attributesOf(attributes) };
}

export function sum(name: string, points: readonly Point<number>[], stream: Stream = {}) {
  const dataPoints = points.map((point) => ({ ...pointOf(point), asDouble: point.value }));
  const kind = temporality[stream.temporality ?? 'cumulative'];
  const of = { aggregationTemporality: kind, isMonotonic: stream.monotonic ?? true, dataPoints };
  return metricsOf({ name, sum: of }, stream.resource);
}

export function gauge(name: string, points: readonly Point<number>[]) {
  return metricsOf({
    name,
    gauge: { dataPoints: points.map((point) => ({ ...pointOf(point), asDouble: point.value })) },
  });
}

export function histogram(
  name: string,
  explicitBounds: readonly number[],
  points: readonly Point<Buckets>[],
  stream: Stream = {},
) {
  const dataPoints = points.map((point) => ({
    ...pointOf(point),
    explicitBounds,
    bucketCounts: point.value.counts.map(String),
    count: String(total(point.value.counts)),
    ...(point.value.sum === undefined ? {} : { sum: point.value.sum }),
  }));
  const kind = temporality[stream.temporality ?? 'cumulative'];
  return metricsOf({ name, histogram: { aggregationTemporality: kind, dataPoints } }, stream.resource);
}

/** Of delta temporality. */
export function exponentialHistogram(name: string, points: readonly Point<ExponentialBuckets>[]) {
  const dataPoints = points.map((point) => {
    const { scale, zero = 0, positive, negative, sum: sumOf } = point.value;
    const count = zero + total(positive?.counts ?? []) + total(negative?.counts ?? []);
    return {
      ...pointOf(point),
      scale,
      zeroCount: String(zero),
      count: String(count),
      ...(positive && { positive: { offset: positive.offset, bucketCounts: positive.counts.map(String) } }),
      ...(negative && { negative: { offset: negative.offset, bucketCounts: negative.counts.map(String) } }),
      ...(sumOf === undefined ? {} : { sum: sumOf }),
    };
  });
  return metricsOf({ name, exponentialHistogram: { aggregationTemporality: temporality.delta, dataPoints } });
}

const total = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
