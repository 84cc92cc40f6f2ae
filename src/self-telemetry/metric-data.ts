import { attributesFrom, unixNano } from './otlp-json.ts';

/** A family of the Prometheus registry, as its client library gives it. */
export interface MetricFamily {
  name: string;
  help: string;
  /** `counter`, `gauge`, `histogram`; another kind counts as a gauge. */
  type: unknown;
  values: readonly MetricValue[];
}

type Labels = Readonly<Partial<Record<string, string | number>>>;

export interface MetricValue {
  value: number;
  labels: Labels;
  /** Histograms: which of the family's series this value belongs to (`…_bucket`, `…_sum`, `…_count`). */
  metricName?: string;
}

interface Times {
  startMs: number;
  nowMs: number;
}

/** Registry → OTLP metrics: counters are cumulative monotonic sums since the start of the process. */
export function metricsFrom(families: readonly MetricFamily[], times: Times): object[] {
  return families.filter((family) => family.values.length > 0).map((family) => metricFrom(family, times));
}

function metricFrom(family: MetricFamily, times: Times): object {
  const described = { name: family.name, description: family.help };
  if (family.type === 'histogram') return { ...described, histogram: cumulative(histogramPoints(family, times)) };
  const dataPoints = family.values.map((value) => numberPoint(value, times));
  if (family.type === 'counter') return { ...described, sum: { ...cumulative(dataPoints), isMonotonic: true } };
  return { ...described, gauge: { dataPoints } };
}

function cumulative(dataPoints: object[]): object {
  return { aggregationTemporality: 2, dataPoints };
}

function numberPoint(value: MetricValue, times: Times): object {
  return { ...stamped(times), attributes: attributesFrom(value.labels), asDouble: value.value };
}

function stamped(times: Times): object {
  return { startTimeUnixNano: unixNano(times.startMs), timeUnixNano: unixNano(times.nowMs) };
}

/** Prometheus buckets are cumulative over their bounds, OTLP's are not: differences of neighbours. */
function histogramPoints(family: MetricFamily, times: Times): object[] {
  const series = new Map<string, { labels: Labels; values: MetricValue[] }>();
  for (const value of family.values) {
    const { le: _bound, ...labels } = value.labels;
    const key = JSON.stringify(labels);
    const entry = series.get(key) ?? { labels, values: [] };
    entry.values.push(value);
    series.set(key, entry);
  }
  return [...series.values()].map(({ labels, values }) => histogramPoint(family.name, labels, values, times));
}

function histogramPoint(name: string, labels: Labels, values: MetricValue[], times: Times): object {
  const buckets = values.filter((value) => value.metricName === `${name}_bucket`);
  const bounds = buckets.map((bucket) =>
    Number(bucket.labels.le === '+Inf' ? Number.POSITIVE_INFINITY : bucket.labels.le),
  );
  const counts = buckets.map((bucket, index) => bucket.value - (buckets[index - 1]?.value ?? 0));
  return {
    ...stamped(times),
    attributes: attributesFrom(labels),
    count: String(values.find((value) => value.metricName === `${name}_count`)?.value ?? 0),
    sum: values.find((value) => value.metricName === `${name}_sum`)?.value ?? 0,
    explicitBounds: bounds.filter(Number.isFinite),
    bucketCounts: counts.map(String),
  };
}
