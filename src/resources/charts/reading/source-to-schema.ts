import { AppError } from '../../../contract/errors.ts';
import type { LogSource, MetricSource, SessionSource, TraceSource } from '../../../contract/source.ts';
import type {
  EventSourceSchema,
  MetricKind,
  MetricSourceSchema,
  SourceSchema,
  SpanFields,
  TableSchema,
} from '../../../query/source-schema.ts';

export type ChartableSource = LogSource | TraceSource | SessionSource | MetricSource;

const metricTableKey = {
  gauge: 'gauge',
  sum: 'sum',
  histogram: 'histogram',
  summary: 'summary',
  exponentialHistogram: 'exponential histogram',
} as const satisfies Record<MetricKind, keyof MetricSource['metricTables']>;

/** The table that a scan of this source reads. Throws `query_invalid` when a metric source has none for the kind. */
export function tableOf(source: ChartableSource, metricKind: MetricKind | undefined): string {
  if (source.kind !== 'metric') return source.from.tableName;
  const key = metricKind && metricTableKey[metricKind];
  const table = key && source.metricTables[key];
  if (!table) throw invalid(`The source "${source.name}" has no table for metrics of type ${key ?? 'unknown'}.`);
  return table;
}

/**
 * What the compiler needs of a source: its expressions resolved against the live columns of its table. An expression
 * that is not a plain column is left out, except the timestamp, without which nothing can be read.
 */
export function sourceToSchema(
  source: ChartableSource,
  metricKind: MetricKind | undefined,
  table: TableSchema,
): SourceSchema {
  const timestampColumn = timestampOf(source, table);
  const serviceNameColumn = plainColumn(table, source.kind === 'session' ? '' : source.serviceNameExpression);
  const attributes = {
    attributeColumns: attributeColumnsOf(source, table),
    ...(serviceNameColumn && { serviceNameColumn }),
  };
  if (source.kind === 'metric') return metricSchema(metricKind, table, timestampColumn, attributes);
  const sortTimeColumn = sortTimeOf(source, table, timestampColumn);
  const implicitColumn = plainColumn(table, ...implicitExpressions(source));
  const filter = source.kind === 'session' ? undefined : source.tableFilterExpression;
  const sampleRate = source.kind === 'trace' ? source.sampleRateExpression?.trim() : undefined;
  return {
    kind: source.kind === 'trace' ? 'trace' : 'log',
    table,
    timestampColumn,
    ...attributes,
    ...(sortTimeColumn && { sortTimeColumn }),
    ...(implicitColumn && { implicitColumn }),
    ...(sampleRate && { sampleRate }),
    ...(filter?.trim() && { filter }),
    ...(source.kind === 'trace' && { spans: spanFieldsOf(source) }),
    ...(source.kind === 'log' && holdsSeverityAsSent(table) && { derivesSeverity: true }),
  } satisfies EventSourceSchema;
}

function spanFieldsOf(source: TraceSource): SpanFields {
  const { serviceNameExpression: service, statusCodeExpression: statusCode, statusMessageExpression } = source;
  return {
    traceId: source.traceIdExpression,
    spanId: source.spanIdExpression,
    parentSpanId: source.parentSpanIdExpression,
    name: source.spanNameExpression,
    kind: source.spanKindExpression,
    duration: source.durationExpression,
    durationPrecision: source.durationPrecision,
    ...(service?.trim() && { service }),
    ...(statusCode?.trim() && { statusCode }),
    ...(statusMessageExpression?.trim() && { statusMessage: statusMessageExpression }),
  };
}

/** Our collector fills both columns of each row, so that its tables are read as they are. */
function holdsSeverityAsSent({ columns, isOurs }: TableSchema): boolean {
  const [text, number] = [columns.get('SeverityText') ?? '', columns.get('SeverityNumber') ?? ''];
  return !isOurs && /^(LowCardinality\()?String\b/.test(text) && /^U?Int/.test(number);
}

function metricSchema(
  metricKind: MetricKind | undefined,
  table: TableSchema,
  timestampColumn: string,
  attributes: Pick<MetricSourceSchema, 'attributeColumns' | 'serviceNameColumn'>,
): MetricSourceSchema {
  return { kind: 'metric', tables: metricKind ? { [metricKind]: table } : {}, timestampColumn, ...attributes };
}

/** The first of the expressions that names a column of the table as it is. */
function plainColumn(table: TableSchema, ...expressions: (string | undefined)[]): string | undefined {
  const names = expressions.map((expression) => expression?.trim().replace(/^(["`])(.*)\1$/, '$2'));
  return names.find((name) => name !== undefined && table.columns.has(name));
}

/** The most exact of the time columns that the source names. */
function timestampOf(source: ChartableSource, table: TableSchema): string {
  const named = namedTimeColumns(source, table);
  const exact = named.find((column) => table.columns.get(column)?.startsWith('DateTime64'));
  const timestamp = exact ?? named[0];
  if (timestamp) return timestamp;
  throw invalid(`The timestamp expression of the source "${source.name}" names no time column of its table.`);
}

/** A coarser time column beside the exact one; `TimestampTime` is the one that OpenTelemetry log tables sort by. */
function sortTimeOf(source: ChartableSource, table: TableSchema, timestamp: string): string | undefined {
  const candidates = [...namedTimeColumns(source, table), ...(timestamp === 'Timestamp' ? ['TimestampTime'] : [])];
  return candidates.find((column) => column !== timestamp && /^DateTime(\(|$)/.test(table.columns.get(column) ?? ''));
}

/** `timestampValueExpression` may name several columns, separated by commas. */
function namedTimeColumns(source: ChartableSource, table: TableSchema): string[] {
  const displayed = source.kind === 'log' || source.kind === 'trace' ? source.displayedTimestampValueExpression : '';
  return [displayed ?? '', ...source.timestampValueExpression.split(',')]
    .flatMap((expression) => plainColumn(table, expression) ?? [])
    .filter((column) => table.columns.get(column)?.startsWith('DateTime'));
}

/** Record's own, resource, scope (decisions C6). */
function attributeColumnsOf(source: ChartableSource, table: TableSchema): string[] {
  const own =
    source.kind === 'metric' ? 'Attributes' : source.kind === 'session' ? '' : source.eventAttributesExpression;
  const configured = [own, source.resourceAttributesExpression].flatMap((name) => plainColumn(table, name) ?? []);
  const columns = configured.length > 0 ? [...configured, 'ScopeAttributes'] : [];
  return columns.filter((column) => table.columns.get(column)?.startsWith('Map('));
}

/** Bare words search the implicit column, else the body of logs and the name of spans. */
function implicitExpressions(source: LogSource | TraceSource | SessionSource): (string | undefined)[] {
  if (source.kind === 'log') return [source.implicitColumnExpression, source.bodyExpression];
  if (source.kind === 'trace') return [source.implicitColumnExpression, source.spanNameExpression];
  return ['Body'];
}

function invalid(text: string): AppError {
  return new AppError('query_invalid', { public: text });
}
