import { MapColumn } from '../native/map-column.ts';
import { NativeTable } from '../native/native-table.ts';
import { Column8, Column64 } from '../native/number-columns.ts';
import { StringColumn } from '../native/string-column.ts';

/** `otel_logs` as the OpenTelemetry Collector's ClickHouse exporter fills it (decisions S2). */
export function createLogTable() {
  return new NativeTable('otel_logs', {
    Timestamp: new Column64('DateTime64(9)'),
    TraceId: new StringColumn(),
    SpanId: new StringColumn(),
    TraceFlags: new Column8('UInt8'),
    SeverityText: new StringColumn(),
    SeverityNumber: new Column8('UInt8'),
    ServiceName: new StringColumn(),
    Body: new StringColumn(),
    ResourceSchemaUrl: new StringColumn(),
    ResourceAttributes: new MapColumn(),
    ScopeSchemaUrl: new StringColumn(),
    ScopeName: new StringColumn(),
    ScopeVersion: new StringColumn(),
    ScopeAttributes: new MapColumn(),
    LogAttributes: new MapColumn(),
    EventName: new StringColumn(),
  });
}
