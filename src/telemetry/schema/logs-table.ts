import {
  attributes,
  hotResourceColumns,
  instant,
  itemsOf,
  label,
  type TableDefinition,
  text,
} from './table-definition.ts';

/** Columns, types and order as the OpenTelemetry Collector's ClickHouse exporter makes them (decisions S2, E4). */
export const logsTable: TableDefinition = {
  name: 'otel_logs',
  signal: 'logs',
  columns: [
    ['Timestamp', instant],
    ['TimestampTime', 'DateTime DEFAULT toDateTime(Timestamp)'],
    ['TraceId', text],
    ['SpanId', text],
    ['TraceFlags', 'UInt8'],
    ['SeverityText', label],
    ['SeverityNumber', 'UInt8'],
    ['ServiceName', label],
    // Read whole by searches inside words; this codec gives it out five times faster, for a tenth more of disk.
    ['Body', 'String CODEC(LZ4)'],
    ['ResourceSchemaUrl', label],
    ['ResourceAttributes', attributes],
    ['ScopeSchemaUrl', label],
    ['ScopeName', text],
    ['ScopeVersion', label],
    ['ScopeAttributes', attributes],
    ['LogAttributes', attributes],
    ['EventName', label],
    ...hotResourceColumns,
    ['ResourceAttributeItems', itemsOf('ResourceAttributes')],
    ['ScopeAttributeItems', itemsOf('ScopeAttributes')],
    ['LogAttributeItems', itemsOf('LogAttributes')],
  ],
  indexes: {
    idx_trace_id: 'TraceId TYPE bloom_filter(0.001) GRANULARITY 1',
    idx_lower_body: `lower(Body) TYPE text(tokenizer = 'splitByNonAlpha')`,
    idx_res_attr_items: `ResourceAttributeItems TYPE text(tokenizer = 'array')`,
    idx_log_attr_items: `LogAttributeItems TYPE text(tokenizer = 'array')`,
  },
  projections: {
    // Part of each part, so never behind it after a crash, as a materialized view can be.
    minute_counts:
      'SELECT toStartOfMinute(TimestampTime), ServiceName, SeverityText, count() ' +
      'GROUP BY toStartOfMinute(TimestampTime), ServiceName, SeverityText',
    hour_counts:
      "SELECT toStartOfHour(TimestampTime, 'UTC'), ServiceName, SeverityText, count() " +
      "GROUP BY toStartOfHour(TimestampTime, 'UTC'), ServiceName, SeverityText",
  },
  partitionBy: 'toDate(TimestampTime)',
  primaryKey: '(ServiceName, TimestampTime)',
  orderBy: '(ServiceName, TimestampTime, Timestamp)',
  expiresBy: 'TimestampTime',
  shardBy: 'cityHash64(Timestamp, TraceId, SpanId)',
};
