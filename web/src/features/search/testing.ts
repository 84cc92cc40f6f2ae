import type { EventSource } from './event-columns.ts';

/** A source of logs with the usual columns, for tests. */
export const logSource = {
  id: 'l',
  name: 'Logs',
  kind: 'log',
  connection: 'c',
  from: { databaseName: 'otel', tableName: 'otel_logs' },
  disabled: false,
  querySettings: [],
  timestampValueExpression: 'Timestamp',
  defaultTableSelectExpression: 'Timestamp, Body',
  severityTextExpression: 'SeverityText',
  serviceNameExpression: 'ServiceName',
  bodyExpression: 'Body',
  traceIdExpression: 'TraceId',
  spanIdExpression: 'SpanId',
  resourceAttributesExpression: 'ResourceAttributes',
  highlightedRowAttributeExpressions: [],
  highlightedTraceAttributeExpressions: [],
  materializedViews: [],
} satisfies EventSource;
