import type { TelemetryTable } from '../ports.ts';
import { attributes, type Column, instant, itemsOf, label, type TableDefinition, text } from './table-definition.ts';

const float = 'Float64 CODEC(ZSTD(1))';
/** Read by every chart: ZSTD makes it hardly smaller, and costs a fifth of the chart. */
const reading = 'Float64 CODEC(LZ4)';
const int32 = 'Int32 CODEC(ZSTD(1))';
const count = 'UInt64 CODEC(Delta(8), ZSTD(1))';
const counts = 'Array(UInt64) CODEC(ZSTD(1))';

const identity: readonly Column[] = [
  ['ResourceAttributes', attributes],
  ['ResourceSchemaUrl', text],
  ['ScopeName', text],
  ['ScopeVersion', text],
  ['ScopeAttributes', attributes],
  ['ScopeDroppedAttrCount', 'UInt32 CODEC(ZSTD(1))'],
  ['ScopeSchemaUrl', text],
  ['ServiceName', label],
  ['MetricName', label],
  ['MetricDescription', text],
  ['MetricUnit', text],
  ['Attributes', attributes],
  // Nanoseconds, as in the exporter's wider form: points of one second stay apart, and whole seconds are cast to it.
  ['StartTimeUnix', instant],
  ['TimeUnix', instant],
];
const flags: Column = ['Flags', 'UInt32 CODEC(ZSTD(1))'];
const exemplars: readonly Column[] = [
  ['Exemplars.FilteredAttributes', 'Array(Map(LowCardinality(String), String)) CODEC(ZSTD(1))'],
  ['Exemplars.TimeUnix', 'Array(DateTime64(9)) CODEC(ZSTD(1))'],
  ['Exemplars.Value', 'Array(Float64) CODEC(ZSTD(1))'],
  ['Exemplars.SpanId', 'Array(String) CODEC(ZSTD(1))'],
  ['Exemplars.TraceId', 'Array(String) CODEC(ZSTD(1))'],
];
const extremes: readonly Column[] = [
  ['Min', float],
  ['Max', float],
];
/** What distinguishes time series, so that charts need not read the maps (`query/metrics/metric-scan.ts` knows it by this text). */
const attributeSet: Column = [
  'AttributeSet',
  'UInt64 MATERIALIZED cityHash64(ServiceName, ScopeName, ScopeVersion, ' +
    'mapSort(Attributes), mapSort(ResourceAttributes), mapSort(ScopeAttributes)) CODEC(ZSTD(1))',
];
/** Bounds as a text of few different ones, by which charts distinguish the layouts of buckets (`query/metrics/histogram.ts` knows it). */
const bucketLayout: Column = [
  'BucketLayout',
  'LowCardinality(String) MATERIALIZED toString(ExplicitBounds) CODEC(ZSTD(1))',
];
const temporality: Column = ['AggregationTemporality', int32];

/** Data points by kind, as the OpenTelemetry Collector's ClickHouse exporter writes them (decisions S2, E4). */
export const metricsTables: readonly TableDefinition[] = [
  metricsTable('otel_metrics_gauge', [['Value', reading], flags, ...exemplars]),
  metricsTable('otel_metrics_sum', [
    ['Value', reading],
    flags,
    ...exemplars,
    temporality,
    ['IsMonotonic', 'Bool CODEC(ZSTD(1))'],
  ]),
  metricsTable('otel_metrics_histogram', [
    ['Count', count],
    ['Sum', float],
    ['BucketCounts', counts],
    ['ExplicitBounds', 'Array(Float64) CODEC(ZSTD(1))'],
    ...exemplars,
    flags,
    ...extremes,
    temporality,
    bucketLayout,
  ]),
  metricsTable('otel_metrics_exponential_histogram', [
    ['Count', count],
    ['Sum', float],
    ['Scale', int32],
    ['ZeroCount', 'UInt64 CODEC(ZSTD(1))'],
    ['PositiveOffset', int32],
    ['PositiveBucketCounts', counts],
    ['NegativeOffset', int32],
    ['NegativeBucketCounts', counts],
    ...exemplars,
    flags,
    ...extremes,
    temporality,
  ]),
  metricsTable('otel_metrics_summary', [
    ['Count', count],
    ['Sum', float],
    ['ValueAtQuantiles.Quantile', 'Array(Float64) CODEC(ZSTD(1))'],
    ['ValueAtQuantiles.Value', 'Array(Float64) CODEC(ZSTD(1))'],
    flags,
  ]),
];

function metricsTable(name: TelemetryTable, values: readonly Column[]): TableDefinition {
  return {
    name,
    signal: 'metrics',
    columns: [
      ...identity,
      ...values,
      ['ResourceAttributeItems', itemsOf('ResourceAttributes')],
      ['AttributeItems', itemsOf('Attributes')],
      attributeSet,
    ],
    indexes: {
      idx_res_attr_items: 'ResourceAttributeItems TYPE bloom_filter(0.01) GRANULARITY 1',
      idx_attr_items: 'AttributeItems TYPE bloom_filter(0.01) GRANULARITY 1',
      idx_time_minmax: 'TimeUnix TYPE minmax GRANULARITY 1',
    },
    projections: {},
    partitionBy: 'toDate(TimeUnix)',
    orderBy: '(ServiceName, MetricName, toStartOfHour(TimeUnix), cityHash64(Attributes), TimeUnix)',
    expiresBy: 'toDateTime(TimeUnix)',
    // A series stays on one shard, where its increments are computed.
    shardBy: 'cityHash64(ServiceName, MetricName, Attributes)',
  };
}
