import type { LogSource, MetricSource, TraceSource } from '../../contract/source.ts';
import type { Source } from './source.ts';

/** Ids of the three default sources, which refer to each other. */
export interface DefaultSourceIds {
  logs: string;
  traces: string;
  metrics: string;
}

/** Where the default sources read: the built-in connection and the tenant's telemetry database. */
export interface DefaultSourceHome {
  connectionId: string;
  database: string;
}

/** Logs, Traces and Metrics over the tenant's own telemetry tables (decisions S1, S2; contract §5.3). */
export function defaultSources(ids: DefaultSourceIds, home: DefaultSourceHome): Source[] {
  return [logs(ids, home), traces(ids, home), metrics(ids, home)];
}

function logs(ids: DefaultSourceIds, { connectionId, database }: DefaultSourceHome): LogSource {
  return {
    id: ids.logs,
    name: 'Logs',
    kind: 'log',
    connection: connectionId,
    from: { databaseName: database, tableName: 'otel_logs' },
    disabled: false,
    querySettings: [],
    timestampValueExpression: 'Timestamp',
    defaultTableSelectExpression: 'Timestamp, ServiceName, SeverityText, Body',
    serviceNameExpression: 'ServiceName',
    severityTextExpression: 'SeverityText',
    bodyExpression: 'Body',
    implicitColumnExpression: 'Body',
    eventAttributesExpression: 'LogAttributes',
    resourceAttributesExpression: 'ResourceAttributes',
    traceIdExpression: 'TraceId',
    spanIdExpression: 'SpanId',
    traceSourceId: ids.traces,
    metricSourceId: ids.metrics,
    highlightedTraceAttributeExpressions: [],
    highlightedRowAttributeExpressions: [],
    materializedViews: [],
  };
}

function traces(ids: DefaultSourceIds, { connectionId, database }: DefaultSourceHome): TraceSource {
  return {
    id: ids.traces,
    name: 'Traces',
    kind: 'trace',
    connection: connectionId,
    from: { databaseName: database, tableName: 'otel_traces' },
    disabled: false,
    querySettings: [],
    timestampValueExpression: 'Timestamp',
    defaultTableSelectExpression: 'Timestamp, ServiceName, StatusCode, round(Duration / 1e6), SpanName',
    durationExpression: 'Duration',
    durationPrecision: 9,
    traceIdExpression: 'TraceId',
    spanIdExpression: 'SpanId',
    parentSpanIdExpression: 'ParentSpanId',
    spanNameExpression: 'SpanName',
    spanKindExpression: 'SpanKind',
    statusCodeExpression: 'StatusCode',
    statusMessageExpression: 'StatusMessage',
    serviceNameExpression: 'ServiceName',
    implicitColumnExpression: 'SpanName',
    eventAttributesExpression: 'SpanAttributes',
    resourceAttributesExpression: 'ResourceAttributes',
    logSourceId: ids.logs,
    metricSourceId: ids.metrics,
    highlightedTraceAttributeExpressions: [],
    highlightedRowAttributeExpressions: [],
    materializedViews: [],
  };
}

function metrics(ids: DefaultSourceIds, { connectionId, database }: DefaultSourceHome): MetricSource {
  return {
    id: ids.metrics,
    name: 'Metrics',
    kind: 'metric',
    connection: connectionId,
    from: { databaseName: database, tableName: '' },
    disabled: false,
    querySettings: [],
    timestampValueExpression: 'TimeUnix',
    metricTables: {
      gauge: 'otel_metrics_gauge',
      sum: 'otel_metrics_sum',
      histogram: 'otel_metrics_histogram',
      summary: 'otel_metrics_summary',
      'exponential histogram': 'otel_metrics_exponential_histogram',
    },
    resourceAttributesExpression: 'ResourceAttributes',
    serviceNameExpression: 'ServiceName',
    logSourceId: ids.logs,
  };
}
