import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { rejectedKey } from './rejected-key.ts';
import { WarningSchema } from './warning.ts';

export const sourceKinds = ['log', 'trace', 'metric', 'session', 'promql'] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** Keys of `metricTables`; one of them is written with a space. */
export const metricTableKeys = ['gauge', 'sum', 'histogram', 'summary', 'exponential histogram'] as const;

const Name = Type.String({ minLength: 1, maxLength: 1024 });
const Expression = Type.String({ minLength: 1, maxLength: 16_384 });
const OptionalExpression = Type.Optional(Type.String({ maxLength: 16_384 }));
const SourceId = Type.Optional(Type.String({ maxLength: 64 }));

const QuerySetting = Type.Object({ setting: Name, value: Type.String({ minLength: 1, maxLength: 1024 }) });

const OptionalText = (maxLength: number) =>
  Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength }));

const Highlighted = Type.Object({
  sqlExpression: Expression,
  luceneExpression: OptionalText(16_384),
  alias: OptionalText(1024),
});

const MaterializedView = Type.Object({
  databaseName: Name,
  tableName: Name,
  dimensionColumns: Type.String({ maxLength: 16_384 }),
  minGranularity: Name,
  minDate: OptionalText(64),
  timestampColumn: Name,
  aggregatedColumns: Type.Array(Type.Object({ sourceColumn: OptionalText(1024), aggFn: Name, mvColumn: Name }), {
    minItems: 1,
    maxItems: 100,
  }),
});

const MetadataMaterializedViews = Type.Object({
  keyRollupTable: Type.Optional(Type.String({ maxLength: 1024 })),
  kvRollupTable: Name,
  granularity: Name,
});

const TextIndexUse = Type.Union([Type.Literal('auto'), Type.Literal('enabled'), Type.Literal('disabled')]);

/**
 * What every kind has beside `kind`; `from.tableName` may be empty where the tables are configured elsewhere (metrics).
 */
function commonFields(tableName: 'required' | 'maybeEmpty') {
  return {
    name: Name,
    section: Type.Optional(Type.String({ maxLength: 256 })),
    connection: Type.String({ minLength: 1, maxLength: 64 }),
    from: Type.Object({
      databaseName: Name,
      tableName: tableName === 'required' ? Name : Type.String({ maxLength: 1024 }),
    }),
  };
}

/** Fields that a request may leave out and that a record always has. */
const commonDefaulted = {
  disabled: Type.Boolean(),
  querySettings: Type.Array(QuerySetting, { maxItems: 10 }),
};

const eventDefaulted = {
  ...commonDefaulted,
  highlightedTraceAttributeExpressions: Type.Array(Highlighted, { maxItems: 100 }),
  highlightedRowAttributeExpressions: Type.Array(Highlighted, { maxItems: 100 }),
  materializedViews: Type.Array(MaterializedView, { maxItems: 100 }),
};

const eventOptional = {
  serviceNameExpression: OptionalExpression,
  serviceVersionExpression: OptionalExpression,
  eventAttributesExpression: OptionalExpression,
  resourceAttributesExpression: OptionalExpression,
  displayedTimestampValueExpression: OptionalExpression,
  implicitColumnExpression: OptionalExpression,
  knownColumnsListExpression: OptionalExpression,
  orderByExpression: OptionalExpression,
  metricSourceId: SourceId,
  metadataMaterializedViews: Type.Optional(MetadataMaterializedViews),
  useTextIndexForImplicitColumn: Type.Optional(TextIndexUse),
};

const logFields = {
  ...commonFields('required'),
  timestampValueExpression: Expression,
  defaultTableSelectExpression: Expression,
  ...eventOptional,
  severityTextExpression: OptionalExpression,
  bodyExpression: OptionalExpression,
  traceIdExpression: OptionalExpression,
  spanIdExpression: OptionalExpression,
  tableFilterExpression: OptionalExpression,
  traceSourceId: SourceId,
};

const traceFields = {
  ...commonFields('required'),
  timestampValueExpression: Expression,
  defaultTableSelectExpression: Expression,
  durationExpression: Expression,
  traceIdExpression: Expression,
  spanIdExpression: Expression,
  parentSpanIdExpression: Expression,
  spanNameExpression: Expression,
  spanKindExpression: Expression,
  ...eventOptional,
  sampleRateExpression: OptionalExpression,
  tableFilterExpression: OptionalExpression,
  statusCodeExpression: OptionalExpression,
  statusMessageExpression: OptionalExpression,
  spanEventsValueExpression: OptionalExpression,
  spanLinksValueExpression: OptionalExpression,
  logSourceId: Type.Optional(Type.Union([Type.String({ maxLength: 64 }), Type.Null()])),
  sessionSourceId: SourceId,
};

const traceDefaulted = { ...eventDefaulted, durationPrecision: Type.Integer({ minimum: 0, maximum: 9 }) };

const sessionFields = {
  ...commonFields('required'),
  traceSourceId: Type.String({ minLength: 1, maxLength: 64 }),
  resourceAttributesExpression: OptionalExpression,
};

const sessionDefaulted = { ...commonDefaulted, timestampValueExpression: Expression };

const MetricTable = Type.Optional(Type.String({ maxLength: 1024 }));

const metricFields = {
  ...commonFields('maybeEmpty'),
  timestampValueExpression: Expression,
  metricTables: Type.Object({
    gauge: MetricTable,
    sum: MetricTable,
    histogram: MetricTable,
    summary: MetricTable,
    'exponential histogram': MetricTable,
  }),
  resourceAttributesExpression: Expression,
  serviceNameExpression: OptionalExpression,
  logSourceId: SourceId,
  seriesTable: OptionalExpression,
};

const promqlFields = { ...commonFields('required'), timestampValueExpression: Expression };

const SourceRecordId = Type.String();

export const LogSourceSchema = Type.Object(
  {
    id: SourceRecordId,
    kind: Type.Literal('log'),
    ...logFields,
    ...eventDefaulted,
  },
  { title: 'LogSource' },
);
export const TraceSourceSchema = Type.Object(
  {
    id: SourceRecordId,
    kind: Type.Literal('trace'),
    ...traceFields,
    ...traceDefaulted,
  },
  { title: 'TraceSource' },
);
export const MetricSourceSchema = Type.Object(
  {
    id: SourceRecordId,
    kind: Type.Literal('metric'),
    ...metricFields,
    ...commonDefaulted,
  },
  { title: 'MetricSource' },
);
export const SessionSourceSchema = Type.Object(
  {
    id: SourceRecordId,
    kind: Type.Literal('session'),
    ...sessionFields,
    ...sessionDefaulted,
  },
  { title: 'SessionSource' },
);
export const PromqlSourceSchema = Type.Object(
  {
    id: SourceRecordId,
    kind: Type.Literal('promql'),
    ...promqlFields,
    ...commonDefaulted,
  },
  { title: 'PromqlSource' },
);

export type LogSource = Static<typeof LogSourceSchema>;
export type TraceSource = Static<typeof TraceSourceSchema>;
export type MetricSource = Static<typeof MetricSourceSchema>;
export type SessionSource = Static<typeof SessionSourceSchema>;
export type PromqlSource = Static<typeof PromqlSourceSchema>;
/** A source record: exactly the fields of its kind, defaults filled in. */
export const SourceSchema = Type.Union(
  [LogSourceSchema, TraceSourceSchema, MetricSourceSchema, SessionSourceSchema, PromqlSourceSchema],
  { title: 'Source' },
);
function inputOf<Kind extends SourceKind, Fields extends TProperties, Defaulted extends TProperties>(
  kind: Kind,
  fields: Fields,
  defaulted: Defaulted,
) {
  return Type.Object({ kind: Type.Literal(kind), ...fields, ...Type.Partial(Type.Object(defaulted)).properties });
}

/** Body of create and of replace, by kind. */
export const sourceInputByKind = {
  log: inputOf('log', logFields, eventDefaulted),
  trace: inputOf('trace', traceFields, traceDefaulted),
  metric: inputOf('metric', metricFields, commonDefaulted),
  session: inputOf('session', sessionFields, sessionDefaulted),
  promql: inputOf('promql', promqlFields, commonDefaulted),
} as const;
export type SourceInput = Static<(typeof sourceInputByKind)[SourceKind]>;

/** Null means absent, as current clients send it. */
function withNulls(schema: TSchema, rejected: Record<string, TSchema> = {}): object {
  // Only schemas of objects are given.
  const { properties, required = [] } = schema as TSchema & { properties: TProperties; required?: string[] };
  const nullable = Object.entries(properties).map(([key, field]) => [
    key,
    required.includes(key) ? field : orNull(field),
  ]);
  return { ...schema, properties: { ...Object.fromEntries(nullable), ...rejected } };
}

function orNull(schema: TSchema): object {
  if ('type' in schema) return { ...schema, type: [schema.type, 'null'].flat() };
  if ('anyOf' in schema && Array.isArray(schema.anyOf))
    return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] };
  return schema;
}

const filterSettings = rejectedKey('is not supported: values of filters are read from the table of the source itself');

const metricFrom = Type.Object({
  databaseName: Name,
  tableName: Type.Optional(Type.Unsafe<string>({ type: ['string', 'null'], maxLength: 1024 })),
});

/** One of the five by `kind`, so that a mistake is reported for the intended kind. */
export const SourceInputSchema = Type.Unsafe<SourceInput>({
  title: 'SourceInput',
  type: 'object',
  required: ['kind'],
  discriminator: { propertyName: 'kind' },
  oneOf: [
    withNulls(sourceInputByKind.log, { filterSettings }),
    withNulls(sourceInputByKind.trace, { filterSettings }),
    withNulls(sourceInputByKind.metric, { from: metricFrom }),
    withNulls(sourceInputByKind.session),
    withNulls(sourceInputByKind.promql),
  ],
});

/** Warnings about the list of sources. */
export const SourceListMetaSchema = Type.Object(
  {
    warnings: Type.Optional(
      Type.Array(WarningSchema, {
        description:
          'Records that this collector rejected within the last hour because of their times; absent if there are none.',
      }),
    ),
  },
  { title: 'SourceListMeta' },
);
export type SourceListMeta = Static<typeof SourceListMetaSchema>;
