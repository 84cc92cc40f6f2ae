CREATE DATABASE IF NOT EXISTS `otel` ON CLUSTER `main`;

CREATE TABLE IF NOT EXISTS `otel`.`otel_logs_local` ON CLUSTER `main` (
  `Timestamp` DateTime64(9) CODEC(Delta(8), ZSTD(1)),
  `TimestampTime` DateTime DEFAULT toDateTime(Timestamp),
  `TraceId` String CODEC(ZSTD(1)),
  `SpanId` String CODEC(ZSTD(1)),
  `TraceFlags` UInt8,
  `SeverityText` LowCardinality(String) CODEC(ZSTD(1)),
  `SeverityNumber` UInt8,
  `ServiceName` LowCardinality(String) CODEC(ZSTD(1)),
  `Body` String CODEC(LZ4),
  `ResourceSchemaUrl` LowCardinality(String) CODEC(ZSTD(1)),
  `ResourceAttributes` Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  `ScopeSchemaUrl` LowCardinality(String) CODEC(ZSTD(1)),
  `ScopeName` String CODEC(ZSTD(1)),
  `ScopeVersion` LowCardinality(String) CODEC(ZSTD(1)),
  `ScopeAttributes` Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  `LogAttributes` Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  `EventName` LowCardinality(String) CODEC(ZSTD(1)),
  `__hdx_materialized_k8s.cluster.name` LowCardinality(String) MATERIALIZED ResourceAttributes['k8s.cluster.name'] CODEC(ZSTD(1)),
  `__hdx_materialized_k8s.namespace.name` LowCardinality(String) MATERIALIZED ResourceAttributes['k8s.namespace.name'] CODEC(ZSTD(1)),
  `__hdx_materialized_k8s.node.name` LowCardinality(String) MATERIALIZED ResourceAttributes['k8s.node.name'] CODEC(ZSTD(1)),
  `__hdx_materialized_k8s.pod.name` LowCardinality(String) MATERIALIZED ResourceAttributes['k8s.pod.name'] CODEC(ZSTD(1)),
  `__hdx_materialized_deployment.environment.name` LowCardinality(String) MATERIALIZED ResourceAttributes['deployment.environment.name'] CODEC(ZSTD(1)),
  `ResourceAttributeItems` Array(String) ALIAS arrayMap(kv -> concat(kv.1, '=', kv.2), CAST(ResourceAttributes, 'Array(Tuple(String, String))')),
  `ScopeAttributeItems` Array(String) ALIAS arrayMap(kv -> concat(kv.1, '=', kv.2), CAST(ScopeAttributes, 'Array(Tuple(String, String))')),
  `LogAttributeItems` Array(String) ALIAS arrayMap(kv -> concat(kv.1, '=', kv.2), CAST(LogAttributes, 'Array(Tuple(String, String))')),
  INDEX idx_trace_id TraceId TYPE bloom_filter(0.001) GRANULARITY 1,
  INDEX idx_lower_body lower(Body) TYPE text(tokenizer = 'splitByNonAlpha'),
  INDEX idx_res_attr_items ResourceAttributeItems TYPE text(tokenizer = 'array'),
  INDEX idx_log_attr_items LogAttributeItems TYPE text(tokenizer = 'array'),
  PROJECTION minute_counts (SELECT toStartOfMinute(TimestampTime), ServiceName, SeverityText, count() GROUP BY toStartOfMinute(TimestampTime), ServiceName, SeverityText),
  PROJECTION hour_counts (SELECT toStartOfHour(TimestampTime, 'UTC'), ServiceName, SeverityText, count() GROUP BY toStartOfHour(TimestampTime, 'UTC'), ServiceName, SeverityText)
) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toDate(TimestampTime)
PRIMARY KEY (ServiceName, TimestampTime)
ORDER BY (ServiceName, TimestampTime, Timestamp)
TTL TimestampTime + toIntervalDay(30)
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1, replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 3600;

CREATE TABLE IF NOT EXISTS `otel`.`otel_logs` ON CLUSTER `main`
AS `otel`.`otel_logs_local`
ENGINE = Distributed(`main`, `otel`, otel_logs_local, cityHash64(Timestamp, TraceId, SpanId));

CREATE TABLE IF NOT EXISTS `otel`.`otel_traces_local` ON CLUSTER `main` (
  `Timestamp` DateTime64(9) CODEC(T64, LZ4),
  `TraceId` String CODEC(ZSTD(1)),
  `SpanId` String CODEC(ZSTD(1)),
  `ParentSpanId` String CODEC(ZSTD(1)),
  `TraceState` String CODEC(ZSTD(1)),
  `SpanName` LowCardinality(String) CODEC(ZSTD(1)),
  `SpanKind` LowCardinality(String) CODEC(ZSTD(1)),
  `ServiceName` LowCardinality(String) CODEC(ZSTD(1)),
  `ResourceAttributes` Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  `ScopeName` String CODEC(ZSTD(1)),
  `ScopeVersion` String CODEC(ZSTD(1)),
  `SpanAttributes` Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  `Duration` UInt64 CODEC(T64, LZ4),
  `StatusCode` LowCardinality(String) CODEC(ZSTD(1)),
  `StatusMessage` String CODEC(ZSTD(1)),
  `Events.Timestamp` Array(DateTime64(9)) CODEC(ZSTD(1)),
  `Events.Name` Array(LowCardinality(String)) CODEC(ZSTD(1)),
  `Events.Attributes` Array(Map(LowCardinality(String), String)) CODEC(ZSTD(1)),
  `Links.TraceId` Array(String) CODEC(ZSTD(1)),
  `Links.SpanId` Array(String) CODEC(ZSTD(1)),
  `Links.TraceState` Array(String) CODEC(ZSTD(1)),
  `Links.Attributes` Array(Map(LowCardinality(String), String)) CODEC(ZSTD(1)),
  `__hdx_materialized_k8s.cluster.name` LowCardinality(String) MATERIALIZED ResourceAttributes['k8s.cluster.name'] CODEC(ZSTD(1)),
  `__hdx_materialized_k8s.namespace.name` LowCardinality(String) MATERIALIZED ResourceAttributes['k8s.namespace.name'] CODEC(ZSTD(1)),
  `__hdx_materialized_k8s.node.name` LowCardinality(String) MATERIALIZED ResourceAttributes['k8s.node.name'] CODEC(ZSTD(1)),
  `__hdx_materialized_k8s.pod.name` LowCardinality(String) MATERIALIZED ResourceAttributes['k8s.pod.name'] CODEC(ZSTD(1)),
  `__hdx_materialized_deployment.environment.name` LowCardinality(String) MATERIALIZED ResourceAttributes['deployment.environment.name'] CODEC(ZSTD(1)),
  `ResourceAttributeItems` Array(String) ALIAS arrayMap(kv -> concat(kv.1, '=', kv.2), CAST(ResourceAttributes, 'Array(Tuple(String, String))')),
  `SpanAttributeItems` Array(String) ALIAS arrayMap(kv -> concat(kv.1, '=', kv.2), CAST(SpanAttributes, 'Array(Tuple(String, String))')),
  `__sampled_span` UInt64 MATERIALIZED if(cityHash64(TraceId) % 16 = 0, cityHash64(TraceId, SpanId), 0) CODEC(LZ4),
  `__sampled_parent` UInt64 MATERIALIZED if((cityHash64(TraceId) % 16 = 0) AND (ParentSpanId != ''), cityHash64(TraceId, ParentSpanId), 0) CODEC(LZ4),
  `__sampled_system` LowCardinality(String) MATERIALIZED if((cityHash64(TraceId) % 16 = 0) AND (SpanKind IN ('Client', 'CLIENT', 'client', 'SPAN_KIND_CLIENT', '3', 'Producer', 'PRODUCER', 'producer', 'SPAN_KIND_PRODUCER', '4', 'Consumer', 'CONSUMER', 'consumer', 'SPAN_KIND_CONSUMER', '5')), multiIf(SpanAttributes['messaging.system'] != '', concat('messaging ', if(arrayFirst(text -> text != '', [SpanAttributes['messaging.destination.template'], SpanAttributes['messaging.destination.name'], SpanAttributes['messaging.destination'], SpanAttributes['server.address'], SpanAttributes['net.peer.name'], SpanAttributes['network.peer.address'], SpanAttributes['net.sock.peer.name'], SpanAttributes['net.sock.peer.addr']]) != '', concat(SpanAttributes['messaging.system'], ' ', arrayFirst(text -> text != '', [SpanAttributes['messaging.destination.template'], SpanAttributes['messaging.destination.name'], SpanAttributes['messaging.destination'], SpanAttributes['server.address'], SpanAttributes['net.peer.name'], SpanAttributes['network.peer.address'], SpanAttributes['net.sock.peer.name'], SpanAttributes['net.sock.peer.addr']])), SpanAttributes['messaging.system'])), arrayFirst(text -> text != '', [SpanAttributes['db.system.name'], SpanAttributes['db.system']]) != '', concat('database ', if(arrayFirst(text -> text != '', [SpanAttributes['service.peer.name'], SpanAttributes['peer.service']]) != '', arrayFirst(text -> text != '', [SpanAttributes['service.peer.name'], SpanAttributes['peer.service']]), if(arrayFirst(text -> text != '', [SpanAttributes['db.namespace'], SpanAttributes['db.name'], SpanAttributes['server.address'], SpanAttributes['net.peer.name'], SpanAttributes['network.peer.address'], SpanAttributes['net.sock.peer.name'], SpanAttributes['net.sock.peer.addr']]) != '', concat(arrayFirst(text -> text != '', [SpanAttributes['db.system.name'], SpanAttributes['db.system']]), ' ', arrayFirst(text -> text != '', [SpanAttributes['db.namespace'], SpanAttributes['db.name'], SpanAttributes['server.address'], SpanAttributes['net.peer.name'], SpanAttributes['network.peer.address'], SpanAttributes['net.sock.peer.name'], SpanAttributes['net.sock.peer.addr']])), arrayFirst(text -> text != '', [SpanAttributes['db.system.name'], SpanAttributes['db.system']])))), concat('external ', arrayFirst(text -> text != '', [SpanAttributes['service.peer.name'], SpanAttributes['peer.service'], SpanAttributes['server.address'], SpanAttributes['net.peer.name'], SpanAttributes['network.peer.address'], SpanAttributes['net.sock.peer.name'], SpanAttributes['net.sock.peer.addr'], SpanAttributes['http.host'], domain(SpanAttributes['url.full']), domain(SpanAttributes['http.url']), SpanAttributes['rpc.service']]))), '') CODEC(LZ4),
  INDEX idx_trace_id TraceId TYPE bloom_filter(0.001) GRANULARITY 1,
  INDEX idx_lower_span_name lower(SpanName) TYPE text(tokenizer = 'splitByNonAlpha'),
  INDEX idx_res_attr_items ResourceAttributeItems TYPE text(tokenizer = 'array'),
  INDEX idx_span_attr_items SpanAttributeItems TYPE text(tokenizer = 'array'),
  INDEX idx_duration Duration TYPE minmax GRANULARITY 1,
  PROJECTION minute_counts (SELECT toStartOfMinute(Timestamp), ServiceName, StatusCode, count() GROUP BY toStartOfMinute(Timestamp), ServiceName, StatusCode),
  PROJECTION hour_counts (SELECT toStartOfHour(Timestamp, 'UTC'), ServiceName, StatusCode, count() GROUP BY toStartOfHour(Timestamp, 'UTC'), ServiceName, StatusCode)
) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toDate(Timestamp)
PRIMARY KEY (ServiceName, SpanName, toDateTime(Timestamp))
ORDER BY (ServiceName, SpanName, toDateTime(Timestamp), Timestamp)
TTL toDateTime(Timestamp) + toIntervalDay(14)
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1, replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 3600;

CREATE TABLE IF NOT EXISTS `otel`.`otel_traces` ON CLUSTER `main`
AS `otel`.`otel_traces_local`
ENGINE = Distributed(`main`, `otel`, otel_traces_local, cityHash64(TraceId));

CREATE TABLE IF NOT EXISTS `otel`.`otel_metrics_gauge_local` ON CLUSTER `main` (
  `ResourceAttributes` Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  `ResourceSchemaUrl` String CODEC(ZSTD(1)),
  `ScopeName` String CODEC(ZSTD(1)),
  `ScopeVersion` String CODEC(ZSTD(1)),
  `ScopeAttributes` Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  `ScopeDroppedAttrCount` UInt32 CODEC(ZSTD(1)),
  `ScopeSchemaUrl` String CODEC(ZSTD(1)),
  `ServiceName` LowCardinality(String) CODEC(ZSTD(1)),
  `MetricName` LowCardinality(String) CODEC(ZSTD(1)),
  `MetricDescription` String CODEC(ZSTD(1)),
  `MetricUnit` String CODEC(ZSTD(1)),
  `Attributes` Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  `StartTimeUnix` DateTime64(9) CODEC(Delta(8), ZSTD(1)),
  `TimeUnix` DateTime64(9) CODEC(Delta(8), ZSTD(1)),
  `Value` Float64 CODEC(LZ4),
  `Flags` UInt32 CODEC(ZSTD(1)),
  `Exemplars.FilteredAttributes` Array(Map(LowCardinality(String), String)) CODEC(ZSTD(1)),
  `Exemplars.TimeUnix` Array(DateTime64(9)) CODEC(ZSTD(1)),
  `Exemplars.Value` Array(Float64) CODEC(ZSTD(1)),
  `Exemplars.SpanId` Array(String) CODEC(ZSTD(1)),
  `Exemplars.TraceId` Array(String) CODEC(ZSTD(1)),
  `ResourceAttributeItems` Array(String) ALIAS arrayMap(kv -> concat(kv.1, '=', kv.2), CAST(ResourceAttributes, 'Array(Tuple(String, String))')),
  `AttributeItems` Array(String) ALIAS arrayMap(kv -> concat(kv.1, '=', kv.2), CAST(Attributes, 'Array(Tuple(String, String))')),
  `AttributeSet` UInt64 MATERIALIZED cityHash64(ServiceName, ScopeName, ScopeVersion, mapSort(Attributes), mapSort(ResourceAttributes), mapSort(ScopeAttributes)) CODEC(ZSTD(1)),
  INDEX idx_res_attr_items ResourceAttributeItems TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX idx_attr_items AttributeItems TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX idx_time_minmax TimeUnix TYPE minmax GRANULARITY 1
) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toDate(TimeUnix)
ORDER BY (ServiceName, MetricName, toStartOfHour(TimeUnix), cityHash64(Attributes), TimeUnix)
TTL toDateTime(TimeUnix) + toIntervalDay(90)
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1, replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 3600;

CREATE TABLE IF NOT EXISTS `otel`.`otel_metrics_gauge` ON CLUSTER `main`
AS `otel`.`otel_metrics_gauge_local`
ENGINE = Distributed(`main`, `otel`, otel_metrics_gauge_local, cityHash64(ServiceName, MetricName, Attributes));

CREATE TABLE IF NOT EXISTS `otel`.`otel_metrics_sum_local` ON CLUSTER `main` (
  `ResourceAttributes` Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  `ResourceSchemaUrl` String CODEC(ZSTD(1)),
  `ScopeName` String CODEC(ZSTD(1)),
  `ScopeVersion` String CODEC(ZSTD(1)),
  `ScopeAttributes` Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  `ScopeDroppedAttrCount` UInt32 CODEC(ZSTD(1)),
  `ScopeSchemaUrl` String CODEC(ZSTD(1)),
  `ServiceName` LowCardinality(String) CODEC(ZSTD(1)),
  `MetricName` LowCardinality(String) CODEC(ZSTD(1)),
  `MetricDescription` String CODEC(ZSTD(1)),
  `MetricUnit` String CODEC(ZSTD(1)),
  `Attributes` Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  `StartTimeUnix` DateTime64(9) CODEC(Delta(8), ZSTD(1)),
  `TimeUnix` DateTime64(9) CODEC(Delta(8), ZSTD(1)),
  `Value` Float64 CODEC(LZ4),
  `Flags` UInt32 CODEC(ZSTD(1)),
  `Exemplars.FilteredAttributes` Array(Map(LowCardinality(String), String)) CODEC(ZSTD(1)),
  `Exemplars.TimeUnix` Array(DateTime64(9)) CODEC(ZSTD(1)),
  `Exemplars.Value` Array(Float64) CODEC(ZSTD(1)),
  `Exemplars.SpanId` Array(String) CODEC(ZSTD(1)),
  `Exemplars.TraceId` Array(String) CODEC(ZSTD(1)),
  `AggregationTemporality` Int32 CODEC(ZSTD(1)),
  `IsMonotonic` Bool CODEC(ZSTD(1)),
  `ResourceAttributeItems` Array(String) ALIAS arrayMap(kv -> concat(kv.1, '=', kv.2), CAST(ResourceAttributes, 'Array(Tuple(String, String))')),
  `AttributeItems` Array(String) ALIAS arrayMap(kv -> concat(kv.1, '=', kv.2), CAST(Attributes, 'Array(Tuple(String, String))')),
  `AttributeSet` UInt64 MATERIALIZED cityHash64(ServiceName, ScopeName, ScopeVersion, mapSort(Attributes), mapSort(ResourceAttributes), mapSort(ScopeAttributes)) CODEC(ZSTD(1)),
  INDEX idx_res_attr_items ResourceAttributeItems TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX idx_attr_items AttributeItems TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX idx_time_minmax TimeUnix TYPE minmax GRANULARITY 1
) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toDate(TimeUnix)
ORDER BY (ServiceName, MetricName, toStartOfHour(TimeUnix), cityHash64(Attributes), TimeUnix)
TTL toDateTime(TimeUnix) + toIntervalDay(90)
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1, replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 3600;

CREATE TABLE IF NOT EXISTS `otel`.`otel_metrics_sum` ON CLUSTER `main`
AS `otel`.`otel_metrics_sum_local`
ENGINE = Distributed(`main`, `otel`, otel_metrics_sum_local, cityHash64(ServiceName, MetricName, Attributes));

CREATE TABLE IF NOT EXISTS `otel`.`otel_metrics_histogram_local` ON CLUSTER `main` (
  `ResourceAttributes` Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  `ResourceSchemaUrl` String CODEC(ZSTD(1)),
  `ScopeName` String CODEC(ZSTD(1)),
  `ScopeVersion` String CODEC(ZSTD(1)),
  `ScopeAttributes` Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  `ScopeDroppedAttrCount` UInt32 CODEC(ZSTD(1)),
  `ScopeSchemaUrl` String CODEC(ZSTD(1)),
  `ServiceName` LowCardinality(String) CODEC(ZSTD(1)),
  `MetricName` LowCardinality(String) CODEC(ZSTD(1)),
  `MetricDescription` String CODEC(ZSTD(1)),
  `MetricUnit` String CODEC(ZSTD(1)),
  `Attributes` Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  `StartTimeUnix` DateTime64(9) CODEC(Delta(8), ZSTD(1)),
  `TimeUnix` DateTime64(9) CODEC(Delta(8), ZSTD(1)),
  `Count` UInt64 CODEC(Delta(8), ZSTD(1)),
  `Sum` Float64 CODEC(ZSTD(1)),
  `BucketCounts` Array(UInt64) CODEC(ZSTD(1)),
  `ExplicitBounds` Array(Float64) CODEC(ZSTD(1)),
  `Exemplars.FilteredAttributes` Array(Map(LowCardinality(String), String)) CODEC(ZSTD(1)),
  `Exemplars.TimeUnix` Array(DateTime64(9)) CODEC(ZSTD(1)),
  `Exemplars.Value` Array(Float64) CODEC(ZSTD(1)),
  `Exemplars.SpanId` Array(String) CODEC(ZSTD(1)),
  `Exemplars.TraceId` Array(String) CODEC(ZSTD(1)),
  `Flags` UInt32 CODEC(ZSTD(1)),
  `Min` Float64 CODEC(ZSTD(1)),
  `Max` Float64 CODEC(ZSTD(1)),
  `AggregationTemporality` Int32 CODEC(ZSTD(1)),
  `BucketLayout` LowCardinality(String) MATERIALIZED toString(ExplicitBounds) CODEC(ZSTD(1)),
  `ResourceAttributeItems` Array(String) ALIAS arrayMap(kv -> concat(kv.1, '=', kv.2), CAST(ResourceAttributes, 'Array(Tuple(String, String))')),
  `AttributeItems` Array(String) ALIAS arrayMap(kv -> concat(kv.1, '=', kv.2), CAST(Attributes, 'Array(Tuple(String, String))')),
  `AttributeSet` UInt64 MATERIALIZED cityHash64(ServiceName, ScopeName, ScopeVersion, mapSort(Attributes), mapSort(ResourceAttributes), mapSort(ScopeAttributes)) CODEC(ZSTD(1)),
  INDEX idx_res_attr_items ResourceAttributeItems TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX idx_attr_items AttributeItems TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX idx_time_minmax TimeUnix TYPE minmax GRANULARITY 1
) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toDate(TimeUnix)
ORDER BY (ServiceName, MetricName, toStartOfHour(TimeUnix), cityHash64(Attributes), TimeUnix)
TTL toDateTime(TimeUnix) + toIntervalDay(90)
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1, replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 3600;

CREATE TABLE IF NOT EXISTS `otel`.`otel_metrics_histogram` ON CLUSTER `main`
AS `otel`.`otel_metrics_histogram_local`
ENGINE = Distributed(`main`, `otel`, otel_metrics_histogram_local, cityHash64(ServiceName, MetricName, Attributes));

CREATE TABLE IF NOT EXISTS `otel`.`otel_metrics_exponential_histogram_local` ON CLUSTER `main` (
  `ResourceAttributes` Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  `ResourceSchemaUrl` String CODEC(ZSTD(1)),
  `ScopeName` String CODEC(ZSTD(1)),
  `ScopeVersion` String CODEC(ZSTD(1)),
  `ScopeAttributes` Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  `ScopeDroppedAttrCount` UInt32 CODEC(ZSTD(1)),
  `ScopeSchemaUrl` String CODEC(ZSTD(1)),
  `ServiceName` LowCardinality(String) CODEC(ZSTD(1)),
  `MetricName` LowCardinality(String) CODEC(ZSTD(1)),
  `MetricDescription` String CODEC(ZSTD(1)),
  `MetricUnit` String CODEC(ZSTD(1)),
  `Attributes` Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  `StartTimeUnix` DateTime64(9) CODEC(Delta(8), ZSTD(1)),
  `TimeUnix` DateTime64(9) CODEC(Delta(8), ZSTD(1)),
  `Count` UInt64 CODEC(Delta(8), ZSTD(1)),
  `Sum` Float64 CODEC(ZSTD(1)),
  `Scale` Int32 CODEC(ZSTD(1)),
  `ZeroCount` UInt64 CODEC(ZSTD(1)),
  `PositiveOffset` Int32 CODEC(ZSTD(1)),
  `PositiveBucketCounts` Array(UInt64) CODEC(ZSTD(1)),
  `NegativeOffset` Int32 CODEC(ZSTD(1)),
  `NegativeBucketCounts` Array(UInt64) CODEC(ZSTD(1)),
  `Exemplars.FilteredAttributes` Array(Map(LowCardinality(String), String)) CODEC(ZSTD(1)),
  `Exemplars.TimeUnix` Array(DateTime64(9)) CODEC(ZSTD(1)),
  `Exemplars.Value` Array(Float64) CODEC(ZSTD(1)),
  `Exemplars.SpanId` Array(String) CODEC(ZSTD(1)),
  `Exemplars.TraceId` Array(String) CODEC(ZSTD(1)),
  `Flags` UInt32 CODEC(ZSTD(1)),
  `Min` Float64 CODEC(ZSTD(1)),
  `Max` Float64 CODEC(ZSTD(1)),
  `AggregationTemporality` Int32 CODEC(ZSTD(1)),
  `ResourceAttributeItems` Array(String) ALIAS arrayMap(kv -> concat(kv.1, '=', kv.2), CAST(ResourceAttributes, 'Array(Tuple(String, String))')),
  `AttributeItems` Array(String) ALIAS arrayMap(kv -> concat(kv.1, '=', kv.2), CAST(Attributes, 'Array(Tuple(String, String))')),
  `AttributeSet` UInt64 MATERIALIZED cityHash64(ServiceName, ScopeName, ScopeVersion, mapSort(Attributes), mapSort(ResourceAttributes), mapSort(ScopeAttributes)) CODEC(ZSTD(1)),
  INDEX idx_res_attr_items ResourceAttributeItems TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX idx_attr_items AttributeItems TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX idx_time_minmax TimeUnix TYPE minmax GRANULARITY 1
) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toDate(TimeUnix)
ORDER BY (ServiceName, MetricName, toStartOfHour(TimeUnix), cityHash64(Attributes), TimeUnix)
TTL toDateTime(TimeUnix) + toIntervalDay(90)
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1, replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 3600;

CREATE TABLE IF NOT EXISTS `otel`.`otel_metrics_exponential_histogram` ON CLUSTER `main`
AS `otel`.`otel_metrics_exponential_histogram_local`
ENGINE = Distributed(`main`, `otel`, otel_metrics_exponential_histogram_local, cityHash64(ServiceName, MetricName, Attributes));

CREATE TABLE IF NOT EXISTS `otel`.`otel_metrics_summary_local` ON CLUSTER `main` (
  `ResourceAttributes` Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  `ResourceSchemaUrl` String CODEC(ZSTD(1)),
  `ScopeName` String CODEC(ZSTD(1)),
  `ScopeVersion` String CODEC(ZSTD(1)),
  `ScopeAttributes` Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  `ScopeDroppedAttrCount` UInt32 CODEC(ZSTD(1)),
  `ScopeSchemaUrl` String CODEC(ZSTD(1)),
  `ServiceName` LowCardinality(String) CODEC(ZSTD(1)),
  `MetricName` LowCardinality(String) CODEC(ZSTD(1)),
  `MetricDescription` String CODEC(ZSTD(1)),
  `MetricUnit` String CODEC(ZSTD(1)),
  `Attributes` Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  `StartTimeUnix` DateTime64(9) CODEC(Delta(8), ZSTD(1)),
  `TimeUnix` DateTime64(9) CODEC(Delta(8), ZSTD(1)),
  `Count` UInt64 CODEC(Delta(8), ZSTD(1)),
  `Sum` Float64 CODEC(ZSTD(1)),
  `ValueAtQuantiles.Quantile` Array(Float64) CODEC(ZSTD(1)),
  `ValueAtQuantiles.Value` Array(Float64) CODEC(ZSTD(1)),
  `Flags` UInt32 CODEC(ZSTD(1)),
  `ResourceAttributeItems` Array(String) ALIAS arrayMap(kv -> concat(kv.1, '=', kv.2), CAST(ResourceAttributes, 'Array(Tuple(String, String))')),
  `AttributeItems` Array(String) ALIAS arrayMap(kv -> concat(kv.1, '=', kv.2), CAST(Attributes, 'Array(Tuple(String, String))')),
  `AttributeSet` UInt64 MATERIALIZED cityHash64(ServiceName, ScopeName, ScopeVersion, mapSort(Attributes), mapSort(ResourceAttributes), mapSort(ScopeAttributes)) CODEC(ZSTD(1)),
  INDEX idx_res_attr_items ResourceAttributeItems TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX idx_attr_items AttributeItems TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX idx_time_minmax TimeUnix TYPE minmax GRANULARITY 1
) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toDate(TimeUnix)
ORDER BY (ServiceName, MetricName, toStartOfHour(TimeUnix), cityHash64(Attributes), TimeUnix)
TTL toDateTime(TimeUnix) + toIntervalDay(90)
SETTINGS index_granularity = 8192, ttl_only_drop_parts = 1, replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 3600;

CREATE TABLE IF NOT EXISTS `otel`.`otel_metrics_summary` ON CLUSTER `main`
AS `otel`.`otel_metrics_summary_local`
ENGINE = Distributed(`main`, `otel`, otel_metrics_summary_local, cityHash64(ServiceName, MetricName, Attributes));
