const text = 'String CODEC(ZSTD(1))';
const label = 'LowCardinality(String) CODEC(ZSTD(1))';
const map = 'Map(LowCardinality(String), String) CODEC(ZSTD(1))';
const float = 'Float64 CODEC(ZSTD(1))';
const nanoseconds = 'DateTime64(9) CODEC(Delta(8), ZSTD(1))';
const seconds = 'DateTime CODEC(Delta, ZSTD(1))';

/** Statements that make a database as the OpenTelemetry Collector's ClickHouse exporter lays it out, text indexes included. */
export function exporterTables(database: string): string[] {
  return [
    `CREATE DATABASE ${database}`,
    ...[logs(), traces(), ...metrics()].map(
      ({ name, parts, partitionBy, orderBy }) =>
        `CREATE TABLE ${database}.${name} (${parts.join(', ')}) ENGINE = MergeTree
        PARTITION BY toDate(${partitionBy}) ORDER BY (${orderBy}) SETTINGS ttl_only_drop_parts = 1`,
    ),
  ];
}

interface ExporterTable {
  name: string;
  parts: readonly string[];
  partitionBy: string;
  orderBy: string;
}

function logs(): ExporterTable {
  const maps = ['ResourceAttributes', 'ScopeAttributes', 'LogAttributes'];
  return {
    name: 'otel_logs',
    parts: [
      `Timestamp ${nanoseconds}, TraceId ${text}, SpanId ${text}, TraceFlags UInt8`,
      `SeverityText ${label}, SeverityNumber UInt8, ServiceName ${label}, Body ${text}`,
      `ResourceSchemaUrl ${label}, ScopeSchemaUrl ${label}, ScopeName ${text}, ScopeVersion ${label}, EventName ${text}`,
      ...maps.map((name) => `${name} ${map}`),
      ...hotColumns(),
      ...maps.map(items),
      textIndex('idx_trace_id', 'TraceId', 'array'),
      ...maps.flatMap((name) => [
        textIndex(`idx_${name}_keys`, `mapKeys(${name})`, 'array'),
        textIndex(`idx_${name}_items`, itemsName(name), 'array'),
      ]),
      textIndex('idx_lower_body', 'lower(Body)', 'splitByNonAlpha'),
    ],
    partitionBy: 'Timestamp',
    orderBy: 'toStartOfFiveMinutes(Timestamp), ServiceName, Timestamp',
  };
}

function traces(): ExporterTable {
  const maps = ['ResourceAttributes', 'SpanAttributes'];
  return {
    name: 'otel_traces',
    parts: [
      `Timestamp ${nanoseconds}, TraceId ${text}, SpanId ${text}, ParentSpanId ${text}, TraceState ${text}`,
      `SpanName ${label}, SpanKind ${label}, ServiceName ${label}, ScopeName ${text}, ScopeVersion ${text}`,
      `Duration UInt64 CODEC(ZSTD(1)), StatusCode ${label}, StatusMessage ${text}`,
      ...maps.map((name) => `${name} ${map}`),
      ...maps.map(items),
      bloomIndex('idx_trace_id', 'TraceId', 0.001),
      ...maps.flatMap((name) => [
        bloomIndex(`idx_${name}_keys`, `mapKeys(${name})`),
        textIndex(`idx_${name}_items`, itemsName(name), 'array'),
      ]),
      'INDEX idx_duration Duration TYPE minmax GRANULARITY 1',
    ],
    partitionBy: 'Timestamp',
    orderBy: 'ServiceName, SpanName, toDateTime(Timestamp)',
  };
}

function metrics(): ExporterTable[] {
  const temporality = 'AggregationTemporality Int32';
  return [
    points('gauge', [`Value ${float}`]),
    points('sum', [`Value ${float}`, temporality, 'IsMonotonic Bool']),
    points('histogram', [
      `Count UInt64 CODEC(Delta(8), ZSTD(1)), Sum ${float}, Min ${float}, Max ${float}`,
      'BucketCounts Array(UInt64) CODEC(ZSTD(1)), ExplicitBounds Array(Float64) CODEC(ZSTD(1))',
      temporality,
    ]),
  ];
}

function points(kind: string, values: readonly string[]): ExporterTable {
  const maps = ['ResourceAttributes', 'ScopeAttributes', 'Attributes'];
  return {
    name: `otel_metrics_${kind}`,
    parts: [
      ...maps.map((name) => `${name} ${map}`),
      `ResourceSchemaUrl ${text}, ScopeName ${text}, ScopeVersion ${text}, ScopeDroppedAttrCount UInt32, ScopeSchemaUrl ${text}`,
      `ServiceName ${label}, MetricName ${label}, MetricDescription ${text}, MetricUnit ${text}`,
      `StartTimeUnix ${seconds}, TimeUnix ${seconds}, Flags UInt32`,
      ...values,
      ...['ResourceAttributes', 'Attributes'].flatMap((name) => [
        bloomIndex(`idx_${name}_keys`, `mapKeys(${name})`),
        bloomIndex(`idx_${name}_values`, `mapValues(${name})`),
      ]),
      'INDEX idx_time TimeUnix TYPE minmax GRANULARITY 1',
    ],
    partitionBy: 'TimeUnix',
    orderBy: 'ServiceName, MetricName, toStartOfHour(TimeUnix), cityHash64(Attributes), TimeUnix',
  };
}

function hotColumns(): string[] {
  return ['k8s.namespace.name', 'k8s.node.name', 'k8s.pod.name', 'deployment.environment.name'].map(
    (key) =>
      `\`__hdx_materialized_${key}\` LowCardinality(String) MATERIALIZED ResourceAttributes['${key}'] CODEC(ZSTD(1))`,
  );
}

function itemsName(mapName: string): string {
  return mapName.replace('Attributes', 'AttributeItems');
}

function items(mapName: string): string {
  return `${itemsName(mapName)} Array(String) ALIAS arrayMap(kv -> concat(kv.1, '=', kv.2), CAST(${mapName}, 'Array(Tuple(String, String))'))`;
}

function textIndex(name: string, expression: string, tokenizer: string): string {
  return `INDEX ${name} ${expression} TYPE text(tokenizer = '${tokenizer}')`;
}

function bloomIndex(name: string, expression: string, rate = 0.01): string {
  return `INDEX ${name} ${expression} TYPE bloom_filter(${rate}) GRANULARITY 1`;
}
