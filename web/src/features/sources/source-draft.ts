import type { SourceKind } from '../../../../src/contract/source.ts';
import type { SourceRecord } from '../where-editor/source-queries.ts';

/** A source while it is edited: the body of its request, fields by dotted path. What the form has no field for stays. */
export type SourceDraft = Record<string, unknown> & { kind: SourceKind };

export interface DraftField {
  /** Its path in the body and in problems. */
  path: string;
  label: string;
  hint?: string;
  required?: boolean;
  input?: 'text' | 'number' | 'logSource' | 'traceSource' | 'metricSource';
}

export interface DraftGroup {
  title: string;
  fields: readonly DraftField[];
}

const expression = (path: string, label: string, rest: Partial<DraftField> = {}): DraftField => ({
  path,
  label,
  ...rest,
});
const required = { required: true };

const table: DraftGroup = {
  title: 'Table',
  fields: [
    expression('from.databaseName', 'Database', required),
    expression('from.tableName', 'Table', required),
    expression('timestampValueExpression', 'Time of an event', {
      ...required,
      hint: 'Column used for time ranges.',
    }),
  ],
};

const events: DraftField[] = [
  expression('defaultTableSelectExpression', 'Columns of the list', { ...required, hint: 'Separated by commas.' }),
  expression('serviceNameExpression', 'Service'),
  expression('eventAttributesExpression', 'Attributes', { hint: 'A map of attributes of the event.' }),
  expression('resourceAttributesExpression', 'Resource attributes'),
  expression('implicitColumnExpression', 'Default search column', {
    hint: 'Where words without a field are searched.',
  }),
  expression('tableFilterExpression', 'Filter that always applies', {
    hint: 'SQL; rows it excludes are never shown.',
  }),
];

const moreOfEvents: DraftField[] = [
  expression('serviceVersionExpression', 'Version of the service'),
  expression('displayedTimestampValueExpression', 'Displayed time', {
    hint: 'If it is more precise than the one for ranges.',
  }),
  expression('orderByExpression', 'Order of the list'),
  expression('knownColumnsListExpression', 'Known columns', { hint: 'Kept for other programs.' }),
  expression('section', 'Section', { hint: 'Kept for other programs.' }),
];

const ofLog: DraftGroup[] = [
  table,
  {
    title: 'Columns',
    fields: [expression('bodyExpression', 'Message'), expression('severityTextExpression', 'Severity'), ...events],
  },
  {
    title: 'Traces and metrics',
    fields: [
      expression('traceIdExpression', 'Trace id'),
      expression('spanIdExpression', 'Span id'),
      expression('traceSourceId', 'Trace source', { input: 'traceSource' }),
      expression('metricSourceId', 'Metric source', { input: 'metricSource' }),
    ],
  },
  { title: 'More', fields: moreOfEvents },
];

const ofTrace: DraftGroup[] = [
  table,
  {
    title: 'Spans',
    fields: [
      expression('traceIdExpression', 'Trace id', required),
      expression('spanIdExpression', 'Span id', required),
      expression('parentSpanIdExpression', 'Parent span id', required),
      expression('spanNameExpression', 'Span name', required),
      expression('spanKindExpression', 'Span kind', required),
      expression('durationExpression', 'Duration', required),
      expression('durationPrecision', 'Decimals of the duration', {
        input: 'number',
        hint: '9 = nanoseconds, 3 = ms, 0 = s.',
      }),
      expression('statusCodeExpression', 'Status'),
      expression('statusMessageExpression', 'Status message'),
    ],
  },
  { title: 'Columns', fields: events },
  {
    title: 'Logs and metrics',
    fields: [
      expression('logSourceId', 'Log source', { input: 'logSource' }),
      expression('metricSourceId', 'Metric source', { input: 'metricSource' }),
    ],
  },
  {
    title: 'More',
    fields: [
      expression('sampleRateExpression', 'Sample rate'),
      expression('spanEventsValueExpression', 'Span events'),
      expression('spanLinksValueExpression', 'Span links'),
      ...moreOfEvents,
    ],
  },
];

const ofMetric: DraftGroup[] = [
  {
    title: 'Tables',
    fields: [
      expression('from.databaseName', 'Database', required),
      expression('metricTables.gauge', 'Gauges'),
      expression('metricTables.sum', 'Sums'),
      expression('metricTables.histogram', 'Histograms'),
      expression('metricTables.summary', 'Summaries'),
      expression('metricTables.exponential histogram', 'Exponential histograms'),
      expression('timestampValueExpression', 'Time of a data point', required),
    ],
  },
  {
    title: 'Columns',
    fields: [
      expression('resourceAttributesExpression', 'Resource attributes', required),
      expression('serviceNameExpression', 'Service'),
      expression('logSourceId', 'Log source', { input: 'logSource' }),
    ],
  },
];

const ofSession: DraftGroup[] = [
  table,
  {
    title: 'Columns',
    fields: [
      expression('resourceAttributesExpression', 'Resource attributes'),
      expression('traceSourceId', 'Trace source', { ...required, input: 'traceSource' }),
    ],
  },
];

export const groupsOfKind: Record<SourceKind, readonly DraftGroup[]> = {
  log: ofLog,
  trace: ofTrace,
  metric: ofMetric,
  session: ofSession,
  promql: [table],
};

export const kindLabels: Record<SourceKind, string> = {
  log: 'Logs',
  trace: 'Traces',
  metric: 'Metrics',
  session: 'Sessions',
  promql: 'PromQL',
};

/** What OpenTelemetry's tables are called and made of: right as it is for most. */
const usual: Record<SourceKind, Record<string, unknown>> = {
  log: {
    from: { databaseName: '', tableName: 'otel_logs' },
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
  },
  trace: {
    from: { databaseName: '', tableName: 'otel_traces' },
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
  },
  metric: {
    from: { databaseName: '', tableName: '' },
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
  },
  session: { from: { databaseName: '', tableName: 'hyperdx_sessions' }, timestampValueExpression: 'TimestampTime' },
  promql: { from: { databaseName: '', tableName: '' }, timestampValueExpression: 'TimeUnix' },
};

export interface DraftHome {
  connection: string;
  databaseName: string;
}

export function newDraft(kind: SourceKind, { connection, databaseName }: DraftHome): SourceDraft {
  const draft = { kind, name: kindLabels[kind], connection, ...structuredClone(usual[kind]) };
  return withValue(draft, 'from.databaseName', databaseName);
}

/** The body that replaces or, with another name, copies a source. */
export function draftOf({ id: _, ...body }: SourceRecord, name = body.name): SourceDraft {
  return { ...structuredClone(body), name };
}

export function valueAt(draft: SourceDraft, path: string): string {
  let value: unknown = draft;
  for (const key of path.split('.')) value = isRecord(value) ? value[key] : undefined;
  return value === undefined || value === null ? '' : String(value);
}

/** The draft with another value; an empty one is omitted, as the API would reject it or store an empty text. */
export function withValue(draft: SourceDraft, path: string, value: unknown): SourceDraft {
  return { ...changed(draft, path.split('.'), value), kind: draft.kind };
}

function changed(
  record: Record<string, unknown>,
  [key = '', ...rest]: readonly string[],
  value: unknown,
): Record<string, unknown> {
  if (rest.length > 0) {
    const inner = record[key];
    return { ...record, [key]: changed(isRecord(inner) ? inner : {}, rest, value) };
  }
  const { [key]: _, ...others } = record;
  return value === undefined || (value === '' && !key.endsWith('Name')) ? others : { ...record, [key]: value };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether every required field of the form is filled: only then is asking the API worth it. */
export function isComplete(draft: SourceDraft): boolean {
  const needed = groupsOfKind[draft.kind].flatMap(({ fields }) => fields.filter((field) => field.required));
  return ['name', 'connection', ...needed.map(({ path }) => path)].every((path) => valueAt(draft, path).trim() !== '');
}

/** Fields of the body, as the form of this kind calls them. */
export function labelsOfKind(kind: SourceKind): Readonly<Record<string, string>> {
  const fields = groupsOfKind[kind].flatMap((group) => group.fields.map(({ path, label }) => [path, label]));
  return { ...Object.fromEntries(fields), name: 'Name', connection: 'Connection', from: 'Table', disabled: 'In use' };
}
