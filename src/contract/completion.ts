import { type Static, Type } from 'typebox';
import { HexIdSchema } from './identifiers.ts';
import { ExpressionSchema, WhereLanguageSchema } from './series.ts';

/** Every limit on what editors ask about sources. */
export const completionLimits = {
  fields: 5_000,
  fieldsDefault: 1_000,
  values: 200,
  valuesDefault: 50,
  metrics: 10_000,
  metricsDefault: 1_000,
  prefixLength: 256,
  facetFields: 20,
  facetValues: 100,
  facetValuesDefault: 10,
  whereLength: 8192,
} as const;

const Prefix = Type.Optional(
  Type.String({
    maxLength: completionLimits.prefixLength,
    description: 'Prefix of the values to return, case-insensitive.',
  }),
);
const limit = (most: number, usual: number) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: most, description: `${usual} when absent.` }));
const instantText = 'Unix milliseconds, or an ISO 8601 date and time.';
const InstantText = Type.Optional(Type.String({ maxLength: 64, description: instantText }));
const Instant = Type.Union([Type.Integer(), Type.String({ maxLength: 64 })], { description: instantText });

/** Query of `GET /sources/:id/fields`. */
export const FieldsQuerySchema = Type.Object({
  prefix: Prefix,
  limit: limit(completionLimits.fields, completionLimits.fieldsDefault),
});

export const FieldSchema = Type.Object(
  {
    name: Type.String({ description: 'Spelling in filters: a column, or Map.key.' }),
    kind: Type.Enum(['column', 'attribute'] as const),
    type: Type.Enum(['string', 'number', 'boolean', 'date', 'map', 'array'] as const),
    sql: Type.String({ description: "Spelling in SQL: a column, or Map['key']." }),
  },
  { title: 'SourceField' },
);
export type SourceField = Static<typeof FieldSchema>;

/** Query of `GET /sources/:id/values`. */
export const ValuesQuerySchema = Type.Object({
  field: Type.Optional(ExpressionSchema),
  prefix: Prefix,
  where: Type.Optional(
    Type.String({ maxLength: completionLimits.whereLength, description: 'Returns only values of matching rows.' }),
  ),
  whereLanguage: Type.Optional(WhereLanguageSchema),
  startTime: InstantText,
  endTime: InstantText,
  limit: limit(completionLimits.values, completionLimits.valuesDefault),
});
export type ValuesRequest = Static<typeof ValuesQuerySchema>;

export const FieldValueSchema = Type.Object(
  {
    value: Type.String(),
    count: Type.Optional(Type.Integer({ description: 'Number of examined rows that have it.' })),
  },
  { title: 'FieldValue' },
);
export type FieldValue = Static<typeof FieldValueSchema>;

/** Query of `GET /sources/:id/metrics`. */
export const MetricsQuerySchema = Type.Object({
  prefix: Prefix,
  limit: limit(completionLimits.metrics, completionLimits.metricsDefault),
});

export const MetricNameSchema = Type.Object(
  {
    name: Type.String(),
    type: Type.Enum(['gauge', 'sum', 'histogram', 'exponential histogram', 'summary'] as const),
    unit: Type.String(),
    description: Type.String(),
  },
  { title: 'MetricName' },
);
export type MetricNameRecord = Static<typeof MetricNameSchema>;

/** Body of `POST /search/facets`. */
export const FacetsRequestSchema = Type.Object(
  {
    sourceId: HexIdSchema,
    startTime: Instant,
    endTime: Instant,
    where: Type.Optional(Type.String({ maxLength: completionLimits.whereLength })),
    whereLanguage: Type.Optional(WhereLanguageSchema),
    fields: Type.Array(ExpressionSchema, { minItems: 1, maxItems: completionLimits.facetFields }),
    limit: limit(completionLimits.facetValues, completionLimits.facetValuesDefault),
  },
  { title: 'FacetsRequest' },
);
export type FacetsRequest = Static<typeof FacetsRequestSchema>;

export const FacetSchema = Type.Object(
  {
    field: Type.String(),
    values: Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() })),
    total: Type.Optional(
      Type.Integer({
        description:
          'Events in which the field has a value; for a sampled source, the estimated number before sampling.',
      }),
    ),
  },
  { title: 'Facet' },
);
export type Facet = Static<typeof FacetSchema>;

export const FacetsMetaSchema = Type.Object(
  {
    sampled: Type.Boolean({ description: 'True if counts are estimates from parts of the range.' }),
    rowsRead: Type.Integer(),
    elapsedMs: Type.Number(),
  },
  { title: 'FacetsMeta' },
);
export type FacetsMeta = Static<typeof FacetsMetaSchema>;

export const SourceCheckResultSchema = Type.Object(
  {
    ok: Type.Boolean(),
    problems: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
    columns: Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
  },
  { title: 'SourceCheckResult' },
);
export type SourceCheckResult = Static<typeof SourceCheckResultSchema>;
