import { ArrayColumn } from '../native/array-column.ts';
import { MapColumn } from '../native/map-column.ts';
import { NativeTable } from '../native/native-table.ts';
import { Column8, Column32, Column64 } from '../native/number-columns.ts';
import { StringColumn } from '../native/string-column.ts';

// The five tables as the OpenTelemetry Collector's ClickHouse exporter fills them (decisions S2).

/** What a data point of any kind has. */
function pointColumns() {
  return {
    ResourceAttributes: new MapColumn(),
    ResourceSchemaUrl: new StringColumn(),
    ScopeName: new StringColumn(),
    ScopeVersion: new StringColumn(),
    ScopeAttributes: new MapColumn(),
    ScopeDroppedAttrCount: new Column32('UInt32'),
    ScopeSchemaUrl: new StringColumn(),
    ServiceName: new StringColumn(),
    MetricName: new StringColumn(),
    MetricDescription: new StringColumn(),
    MetricUnit: new StringColumn(),
    Attributes: new MapColumn(),
    StartTimeUnix: new Column64('DateTime64(9)'),
    TimeUnix: new Column64('DateTime64(9)'),
    Flags: new Column32('UInt32'),
  };
}

function exemplarColumns() {
  return {
    'Exemplars.FilteredAttributes': new ArrayColumn(new MapColumn()),
    'Exemplars.TimeUnix': new ArrayColumn(new Column64('DateTime64(9)')),
    'Exemplars.Value': new ArrayColumn(new Column64('Float64')),
    'Exemplars.SpanId': new ArrayColumn(new StringColumn()),
    'Exemplars.TraceId': new ArrayColumn(new StringColumn()),
  };
}

export type PointColumns = ReturnType<typeof pointColumns>;
export type ExemplarColumns = ReturnType<typeof exemplarColumns>;

export function createGaugeTable() {
  return new NativeTable('otel_metrics_gauge', {
    ...pointColumns(),
    Value: new Column64('Float64'),
    ...exemplarColumns(),
  });
}

export function createSumTable() {
  return new NativeTable('otel_metrics_sum', {
    ...pointColumns(),
    Value: new Column64('Float64'),
    ...exemplarColumns(),
    AggregationTemporality: new Column32('Int32'),
    IsMonotonic: new Column8('Bool'),
  });
}

export function createHistogramTable() {
  return new NativeTable('otel_metrics_histogram', {
    ...pointColumns(),
    Count: new Column64('UInt64'),
    Sum: new Column64('Float64'),
    BucketCounts: new ArrayColumn(new Column64('UInt64')),
    ExplicitBounds: new ArrayColumn(new Column64('Float64')),
    ...exemplarColumns(),
    Min: new Column64('Float64'),
    Max: new Column64('Float64'),
    AggregationTemporality: new Column32('Int32'),
  });
}

export function createExponentialHistogramTable() {
  return new NativeTable('otel_metrics_exponential_histogram', {
    ...pointColumns(),
    Count: new Column64('UInt64'),
    Sum: new Column64('Float64'),
    Scale: new Column32('Int32'),
    ZeroCount: new Column64('UInt64'),
    PositiveOffset: new Column32('Int32'),
    PositiveBucketCounts: new ArrayColumn(new Column64('UInt64')),
    NegativeOffset: new Column32('Int32'),
    NegativeBucketCounts: new ArrayColumn(new Column64('UInt64')),
    ...exemplarColumns(),
    Min: new Column64('Float64'),
    Max: new Column64('Float64'),
    AggregationTemporality: new Column32('Int32'),
  });
}

export function createSummaryTable() {
  return new NativeTable('otel_metrics_summary', {
    ...pointColumns(),
    Count: new Column64('UInt64'),
    Sum: new Column64('Float64'),
    'ValueAtQuantiles.Quantile': new ArrayColumn(new Column64('Float64')),
    'ValueAtQuantiles.Value': new ArrayColumn(new Column64('Float64')),
  });
}
