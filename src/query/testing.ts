import type { AggregateName, ChartQuery, Guards, SeriesQuery } from './chart-query.ts';
import type { EventSourceSchema, MetricSourceSchema, TableSchema } from './source-schema.ts';

const map = 'Map(LowCardinality(String), String)';
const common = {
  ServiceName: 'LowCardinality(String)',
  ResourceAttributes: map,
  ScopeAttributes: map,
  ResourceAttributeItems: 'Array(String)',
  '__hdx_materialized_k8s.pod.name': 'LowCardinality(String)',
};
const points = {
  ...common,
  ScopeName: 'String',
  MetricName: 'LowCardinality(String)',
  Attributes: map,
  StartTimeUnix: 'DateTime64(9)',
  TimeUnix: 'DateTime64(9)',
};

function table(
  name: string,
  columns: Record<string, string>,
  defaults: Record<string, string> = {},
  sortColumns: readonly string[] = [],
): TableSchema {
  const mapOf = (entries: Record<string, string>): Map<string, string> => new Map(Object.entries(entries));
  const materialized = new Map([["ResourceAttributes['k8s.pod.name']", '__hdx_materialized_k8s.pod.name']]);
  return {
    database: 'otel',
    table: name,
    columns: mapOf(columns),
    defaults: mapOf(defaults),
    materialized,
    sortColumns,
  };
}

function itemsOf(attributes: string): string {
  return `arrayMap(kv -> concat(kv.1, '=', kv.2), CAST(${attributes}, 'Array(Tuple(String, String))'))`;
}

/** A log source for tests of the compiler, in the database `otel`. */
export const testLogs: EventSourceSchema = {
  kind: 'log',
  table: table(
    'otel_logs',
    {
      ...common,
      Timestamp: 'DateTime64(9)',
      TimestampTime: 'DateTime',
      TraceId: 'String',
      SeverityText: 'LowCardinality(String)',
      SeverityNumber: 'UInt8',
      Body: 'String',
      LogAttributes: map,
      LogAttributeItems: 'Array(String)',
    },
    {
      TimestampTime: 'toDateTime(Timestamp)',
      ResourceAttributeItems: itemsOf('ResourceAttributes'),
      LogAttributeItems: itemsOf('LogAttributes'),
    },
    ['ServiceName', 'TimestampTime', 'Timestamp'],
  ),
  timestampColumn: 'Timestamp',
  sortTimeColumn: 'TimestampTime',
  implicitColumn: 'Body',
  attributeColumns: ['LogAttributes', 'ResourceAttributes', 'ScopeAttributes'],
};

/** A trace source with sampling. */
export const testTraces: EventSourceSchema = {
  kind: 'trace',
  table: table('otel_traces', {
    ...common,
    Timestamp: 'DateTime64(9)',
    SpanName: 'LowCardinality(String)',
    StatusCode: 'LowCardinality(String)',
    StatusMessage: 'String',
    TraceId: 'String',
    SpanId: 'String',
    ParentSpanId: 'String',
    SpanKind: 'LowCardinality(String)',
    Duration: 'UInt64',
    SampleRate: 'UInt64',
    __sampled_span: 'UInt64',
    __sampled_parent: 'UInt64',
    __sampled_system: 'LowCardinality(String)',
    SpanAttributes: map,
    'Events.Name': 'Array(LowCardinality(String))',
    'Events.Attributes': `Array(${map})`,
  }),
  timestampColumn: 'Timestamp',
  implicitColumn: 'SpanName',
  sampleRate: 'SampleRate',
  spans: {
    service: 'ServiceName',
    traceId: 'TraceId',
    spanId: 'SpanId',
    parentSpanId: 'ParentSpanId',
    name: 'SpanName',
    kind: 'SpanKind',
    duration: 'Duration',
    durationPrecision: 9,
    statusCode: 'StatusCode',
    statusMessage: 'StatusMessage',
  },
  attributeColumns: ['SpanAttributes', 'ResourceAttributes'],
};

export const testMetrics: MetricSourceSchema = {
  kind: 'metric',
  tables: {
    gauge: table(
      'otel_metrics_gauge',
      { ...points, Value: 'Float64', AttributeSet: 'UInt64' },
      {
        AttributeSet:
          'cityHash64(ServiceName, ScopeName, mapSort(Attributes), mapSort(ResourceAttributes), mapSort(ScopeAttributes))',
      },
    ),
    sum: table('otel_metrics_sum', {
      ...points,
      Value: 'Float64',
      AggregationTemporality: 'Int32',
      IsMonotonic: 'Bool',
    }),
    histogram: table('otel_metrics_histogram', {
      ...points,
      Count: 'UInt64',
      Sum: 'Float64',
      BucketCounts: 'Array(UInt64)',
      ExplicitBounds: 'Array(Float64)',
      AggregationTemporality: 'Int32',
    }),
    exponentialHistogram: table('otel_metrics_exponential_histogram', {
      ...points,
      Count: 'UInt64',
      Sum: 'Float64',
      Scale: 'Int32',
      ZeroCount: 'UInt64',
      PositiveOffset: 'Int32',
      PositiveBucketCounts: 'Array(UInt64)',
      NegativeOffset: 'Int32',
      NegativeBucketCounts: 'Array(UInt64)',
      AggregationTemporality: 'Int32',
    }),
    summary: table('otel_metrics_summary', {
      ...points,
      Count: 'UInt64',
      Sum: 'Float64',
      'ValueAtQuantiles.Quantile': 'Array(Float64)',
      'ValueAtQuantiles.Value': 'Array(Float64)',
    }),
  },
  timestampColumn: 'TimeUnix',
  attributeColumns: ['Attributes', 'ResourceAttributes', 'ScopeAttributes'],
};

export const testGuards: Guards = { database: 'otel', resultRowsMax: 100_000, memoryBytesMax: 1e9, timeoutMs: 30_000 };

/** A query over `[12:00, 13:00)` of 2025-01-15 in buckets of five minutes, unless specified otherwise. */
export function testChart(
  series: readonly (Partial<SeriesQuery> & { aggregate?: AggregateName })[],
  rest: Partial<ChartQuery> = {},
): ChartQuery {
  return {
    range: { startMs: 1_736_942_400_000, endMs: 1_736_946_000_000 },
    granularityMs: 300_000,
    bucketOriginMs: 0,
    series: series.map((each) => ({ aggregate: 'count', where: '', whereLanguage: 'lucene', ...each })),
    groupBy: [],
    groupsMax: 1_000,
    ...rest,
  };
}
