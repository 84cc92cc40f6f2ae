import { ArrayColumn } from '../native/array-column.ts';
import { MapColumn } from '../native/map-column.ts';
import { NativeTable } from '../native/native-table.ts';
import { Column64 } from '../native/number-columns.ts';
import { StringColumn } from '../native/string-column.ts';

export type SpanTable = ReturnType<typeof createSpanTable>;

/** `otel_traces` as the OpenTelemetry Collector's ClickHouse exporter fills it (decisions S2). */
export function createSpanTable() {
  return new NativeTable('otel_traces', {
    Timestamp: new Column64('DateTime64(9)'),
    TraceId: new StringColumn(),
    SpanId: new StringColumn(),
    ParentSpanId: new StringColumn(),
    TraceState: new StringColumn(),
    SpanName: new StringColumn(),
    SpanKind: new StringColumn(),
    ServiceName: new StringColumn(),
    ResourceAttributes: new MapColumn(),
    ScopeName: new StringColumn(),
    ScopeVersion: new StringColumn(),
    SpanAttributes: new MapColumn(),
    Duration: new Column64('UInt64'),
    StatusCode: new StringColumn(),
    StatusMessage: new StringColumn(),
    'Events.Timestamp': new ArrayColumn(new Column64('DateTime64(9)')),
    'Events.Name': new ArrayColumn(new StringColumn()),
    'Events.Attributes': new ArrayColumn(new MapColumn()),
    'Links.TraceId': new ArrayColumn(new StringColumn()),
    'Links.SpanId': new ArrayColumn(new StringColumn()),
    'Links.TraceState': new ArrayColumn(new StringColumn()),
    'Links.Attributes': new ArrayColumn(new MapColumn()),
  });
}
