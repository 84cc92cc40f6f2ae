import { type Static, Type } from 'typebox';
import { ReferenceIdSchema } from './identifiers.ts';
import { limits } from './limits.ts';
import { NumberFormatSchema } from './number-format.ts';

/** The eight of the seed, three that current clients send (`any`, `none`, `increase`), and the increase per second of counters. */
export const aggregateFunctions = [
  'avg',
  'count',
  'count_distinct',
  'last_value',
  'max',
  'min',
  'quantile',
  'sum',
  'any',
  'none',
  'increase',
  'rate',
] as const;
export type AggregateFunction = (typeof aggregateFunctions)[number];

/** What all groups have together is the sum of what each of them has. */
export const additiveAggregates: ReadonlySet<string> = new Set(['count', 'sum', 'increase', 'rate']);
export const doesNotAddUp =
  'its groups do not add up to the whole: the other groups can be shown of count, sum, increase and rate; omit otherGroup';

/** The seed's three, then two that current clients send. */
export const metricDataTypes = ['sum', 'gauge', 'histogram', 'summary', 'exponential histogram'] as const;
export type MetricDataType = (typeof metricDataTypes)[number];

export const seriesTypes = ['time', 'table', 'number', 'histogram', 'search', 'markdown'] as const;
export type SeriesType = (typeof seriesTypes)[number];

export const WhereLanguageSchema = Type.Enum(['lucene', 'sql'] as const);
export const AggregateFunctionSchema = Type.Enum(aggregateFunctions, {
  description:
    'Of counters and histograms the aggregate of what they gained in a bucket, whatever the range. Of gauges and up-down ' +
    'counters the aggregate of their levels: over time of the last one of each time series in a bucket, in numbers, ' +
    'tables, pies and bars of all points. increase: what was gained. rate: per second, per time series by the longer of ' +
    'the bucket and the time over which the increase was observed. any: the newest value. none: of logs and traces, an ' +
    "expression of aggregates, such as countIf(StatusCode = 'Error') / count() or quantile(0.98)(Duration).",
});
export const MetricDataTypeSchema = Type.Enum(metricDataTypes);
/** `level` of a quantile (decisions C7). */
export const LevelSchema = Type.Number({ minimum: 0, maximum: 1 });
export const WhereSchema = Type.String({ maxLength: limits.expressionLength });
export const ExpressionSchema = Type.String({ maxLength: limits.expressionLength });

/** Current clients have it in `config` tiles. */
export const PeriodAggregateSchema = Type.Literal('delta', {
  description:
    'Of gauges only: the aggregate is over what each time series changed by within the bucket (in numbers, tables, pies ' +
    'and bars within the range), its last point less its first. A series with one point there changed by 0.',
});

const required = {
  sourceId: ReferenceIdSchema,
  aggFn: AggregateFunctionSchema,
  where: Type.String({ maxLength: limits.expressionLength, description: 'Filter; Lucene by default.' }),
  groupBy: Type.Array(ExpressionSchema, { maxItems: limits.groupByFields }),
};

const optional = {
  dataSource: Type.Optional(Type.Enum(['events', 'metrics'] as const)),
  field: Type.Optional(ExpressionSchema),
  metricName: Type.Optional(Type.String({ maxLength: limits.expressionLength })),
  metricDataType: Type.Optional(MetricDataTypeSchema),
  type: Type.Optional(Type.Enum(seriesTypes, { description: 'Default: time.' })),
  whereLanguage: Type.Optional(WhereLanguageSchema),
  level: Type.Optional(LevelSchema),
  periodAggFn: Type.Optional(PeriodAggregateSchema),
  alias: Type.Optional(ExpressionSchema),
  displayType: Type.Optional(Type.Enum(['line', 'stacked_bar'] as const)),
  numberFormat: Type.Optional(NumberFormatSchema),
  sortOrder: Type.Optional(Type.Enum(['asc', 'desc'] as const)),
  fields: Type.Optional(Type.Array(ExpressionSchema, { maxItems: 100 })),
  content: Type.Optional(Type.String({ maxLength: limits.seriesMarkdownLength })),
};

/** seed §ChartSeries: four required fields; unknown keys are kept (decisions F8). */
export const ChartSeriesSchema = Type.Object({ ...required, ...optional }, { title: 'ChartSeries' });
export type ChartSeries = Static<typeof ChartSeriesSchema>;

const { groupBy, ...requiredOfNumber } = required;
const NumberSeriesSchema = Type.Object({
  ...requiredOfNumber,
  groupBy: Type.Optional(groupBy),
  ...optional,
});
const SearchSeriesSchema = Type.Object({
  sourceId: required.sourceId,
  where: required.where,
  aggFn: Type.Optional(required.aggFn),
  groupBy: Type.Optional(groupBy),
  ...optional,
});
const MarkdownSeriesSchema = Type.Object({ ...Type.Partial(Type.Object(required)).properties, ...optional });

const whenType = (type: SeriesType) => ({ required: ['type'], properties: { type: { const: type } } });

/**
 * A series as stored in a tile. Search and markdown draw no aggregate and a number has no groups, so current clients
 * omit those of the four required fields; every other series follows the seed.
 */
export const TileSeriesSchema = Type.Unsafe<Static<typeof MarkdownSeriesSchema>>({
  title: 'TileSeries',
  type: 'object',
  if: whenType('markdown'),
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: MarkdownSeriesSchema,
  else: {
    if: whenType('search'),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: SearchSeriesSchema,
    else: {
      if: whenType('number'),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: NumberSeriesSchema,
      else: ChartSeriesSchema,
    },
  },
});
export type TileSeries = Static<typeof MarkdownSeriesSchema>;

/** Every key of a series that we know. */
export const seriesKeys: ReadonlySet<string> = new Set(Object.keys(ChartSeriesSchema.properties));
