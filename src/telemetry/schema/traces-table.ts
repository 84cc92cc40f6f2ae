import { sampledColumnSql, sampledColumns } from '../../query/sampled-traces.ts';
import { attributes, hotResourceColumns, itemsOf, label, type TableDefinition, text } from './table-definition.ts';

const sampled = sampledColumnSql();

/** Spans, as the OpenTelemetry Collector's ClickHouse exporter writes them (decisions S2, E4). */
export const tracesTable: TableDefinition = {
  name: 'otel_traces',
  signal: 'traces',
  columns: [
    // These two are read by most charts: as small as with ZSTD, and decompressed in a third less time.
    ['Timestamp', 'DateTime64(9) CODEC(T64, LZ4)'],
    ['TraceId', text],
    ['SpanId', text],
    ['ParentSpanId', text],
    ['TraceState', text],
    ['SpanName', label],
    ['SpanKind', label],
    ['ServiceName', label],
    ['ResourceAttributes', attributes],
    ['ScopeName', text],
    ['ScopeVersion', text],
    ['SpanAttributes', attributes],
    ['Duration', 'UInt64 CODEC(T64, LZ4)'],
    ['StatusCode', label],
    ['StatusMessage', text],
    // Written out instead of `Nested (…)`, which makes the same columns, so that each can be compared and added.
    ['Events.Timestamp', 'Array(DateTime64(9)) CODEC(ZSTD(1))'],
    ['Events.Name', 'Array(LowCardinality(String)) CODEC(ZSTD(1))'],
    ['Events.Attributes', 'Array(Map(LowCardinality(String), String)) CODEC(ZSTD(1))'],
    ['Links.TraceId', 'Array(String) CODEC(ZSTD(1))'],
    ['Links.SpanId', 'Array(String) CODEC(ZSTD(1))'],
    ['Links.TraceState', 'Array(String) CODEC(ZSTD(1))'],
    ['Links.Attributes', 'Array(Map(LowCardinality(String), String)) CODEC(ZSTD(1))'],
    ...hotResourceColumns,
    ['ResourceAttributeItems', itemsOf('ResourceAttributes')],
    ['SpanAttributeItems', itemsOf('SpanAttributes')],
    // Mostly empty: LZ4 reads runs of zeros fastest.
    [sampledColumns.span, `UInt64 MATERIALIZED ${sampled.span} CODEC(LZ4)`],
    [sampledColumns.parent, `UInt64 MATERIALIZED ${sampled.parent} CODEC(LZ4)`],
    [sampledColumns.system, `LowCardinality(String) MATERIALIZED ${sampled.system} CODEC(LZ4)`],
  ],
  indexes: {
    idx_trace_id: 'TraceId TYPE bloom_filter(0.001) GRANULARITY 1',
    idx_lower_span_name: `lower(SpanName) TYPE text(tokenizer = 'splitByNonAlpha')`,
    idx_res_attr_items: `ResourceAttributeItems TYPE text(tokenizer = 'array')`,
    idx_span_attr_items: `SpanAttributeItems TYPE text(tokenizer = 'array')`,
    idx_duration: 'Duration TYPE minmax GRANULARITY 1',
  },
  projections: {
    minute_counts:
      'SELECT toStartOfMinute(Timestamp), ServiceName, StatusCode, count() ' +
      'GROUP BY toStartOfMinute(Timestamp), ServiceName, StatusCode',
    hour_counts:
      "SELECT toStartOfHour(Timestamp, 'UTC'), ServiceName, StatusCode, count() " +
      "GROUP BY toStartOfHour(Timestamp, 'UTC'), ServiceName, StatusCode",
  },
  partitionBy: 'toDate(Timestamp)',
  primaryKey: '(ServiceName, SpanName, toDateTime(Timestamp))',
  orderBy: '(ServiceName, SpanName, toDateTime(Timestamp), Timestamp)',
  expiresBy: 'toDateTime(Timestamp)',
  shardBy: 'cityHash64(TraceId)',
};
