import { type Static, type TSchema, Type } from 'typebox';
import { OtherGroupSchema } from './chart.ts';
import { ColorRulesSchema, ColorSchema } from './chart-color.ts';
import { ReferenceIdSchema } from './identifiers.ts';
import { limits } from './limits.ts';
import { NumberFormatSchema } from './number-format.ts';
import { OnClickSchema } from './on-click.ts';
import {
  AggregateFunctionSchema,
  ExpressionSchema,
  LevelSchema,
  MetricDataTypeSchema,
  PeriodAggregateSchema,
  WhereLanguageSchema,
  WhereSchema,
} from './series.ts';
import { lineInterpolations } from './time-display.ts';

const flag = Type.Optional(Type.Boolean());
const expression = Type.Optional(ExpressionSchema);

/** One aggregate of a `config` tile. */
export const SelectItemSchema = Type.Object(
  {
    aggFn: AggregateFunctionSchema,
    valueExpression: expression,
    level: Type.Optional(LevelSchema),
    where: Type.Optional(WhereSchema),
    whereLanguage: Type.Optional(WhereLanguageSchema),
    alias: expression,
    metricType: Type.Optional(MetricDataTypeSchema),
    metricName: expression,
    periodAggFn: Type.Optional(PeriodAggregateSchema),
    numberFormat: Type.Optional(NumberFormatSchema),
  },
  { title: 'SelectItem' },
);
export type SelectItem = Static<typeof SelectItemSchema>;

/** Arithmetic over the select items, which are called A, B, C … */
const FormulaSchema = Type.Object({
  expression: Type.String({ minLength: 1, maxLength: 1024 }),
  alias: expression,
  numberFormat: Type.Optional(NumberFormatSchema),
});

const source = { sourceId: ReferenceIdSchema };
const numberFormat = { numberFormat: Type.Optional(NumberFormatSchema) };
const selectMany = { select: Type.Array(SelectItemSchema, { minItems: 1, maxItems: limits.selectItems }) };
const selectOne = { select: Type.Array(SelectItemSchema, { minItems: 1, maxItems: 1 }) };
const formulas = {
  formulas: Type.Optional(Type.Array(FormulaSchema, { maxItems: limits.formulas })),
  showOperandSeries: flag,
};
const filter = { where: Type.Optional(WhereSchema), whereLanguage: Type.Optional(WhereLanguageSchema) };
const timeFields = {
  alignDateRangeToGranularity: flag,
  fillNulls: flag,
  seriesLimit: Type.Optional(Type.Integer({ minimum: 0 })),
};
const ofLines = { lineInterpolation: Type.Optional(Type.Enum(lineInterpolations)) };
const lineOnly = { compareToPreviousPeriod: flag, fitYAxisToData: flag, ...ofLines };
const rest = { otherGroup: OtherGroupSchema };
const stacked = {
  ...rest,
  ...source,
  ...selectMany,
  groupBy: expression,
  asRatio: flag,
  ...timeFields,
  ...numberFormat,
};
const share = {
  ...rest,
  ...source,
  ...selectOne,
  groupBy: expression,
  orderBy: expression,
  limit: Type.Optional(Type.Integer({ minimum: 0 })),
  ...numberFormat,
};

const builderForms = [
  Type.Object({ displayType: Type.Literal('line'), ...stacked, ...formulas, ...lineOnly }),
  Type.Object({ displayType: Type.Literal('stacked_bar'), ...stacked, ...formulas }),
  Type.Object({ displayType: Type.Literal('stacked_line'), ...stacked, ...formulas, ...ofLines }),
  Type.Object({
    displayType: Type.Literal('table'),
    ...rest,
    ...source,
    ...selectMany,
    groupBy: expression,
    having: expression,
    orderBy: expression,
    asRatio: flag,
    ...numberFormat,
    groupByColumnsOnLeft: flag,
    onClick: Type.Optional(OnClickSchema),
    ...formulas,
  }),
  Type.Object({
    displayType: Type.Literal('number'),
    ...source,
    ...selectMany,
    ...numberFormat,
    ...formulas,
    color: Type.Optional(ColorSchema),
    colorRules: Type.Optional(ColorRulesSchema),
    backgroundChart: Type.Optional(
      Type.Object({ type: Type.Enum(['line', 'area'] as const), color: Type.Optional(ColorSchema) }),
    ),
  }),
  Type.Object({ displayType: Type.Literal('pie'), ...share }),
  Type.Object({ displayType: Type.Literal('bar'), ...share }),
  Type.Object({
    displayType: Type.Literal('heatmap'),
    ...source,
    select: Type.Array(
      Type.Object({
        valueExpression: Type.String({ minLength: 1, maxLength: limits.expressionLength }),
        countExpression: expression,
        heatmapScaleType: Type.Optional(Type.Enum(['log', 'linear'] as const)),
      }),
      { minItems: 1, maxItems: 1 },
    ),
    ...filter,
    ...numberFormat,
  }),
  Type.Object({ displayType: Type.Literal('search'), ...source, select: ExpressionSchema, ...filter }),
  Type.Object({ displayType: Type.Literal('event_patterns'), ...source, select: expression, ...filter }),
  Type.Object({
    displayType: Type.Literal('markdown'),
    markdown: Type.Optional(Type.String({ maxLength: limits.configMarkdownLength })),
  }),
] as const;
export type BuilderConfig = Static<(typeof builderForms)[number]> & { configType?: string };

const sql = {
  configType: Type.Literal('sql'),
  connectionId: ReferenceIdSchema,
  sourceId: Type.Optional(ReferenceIdSchema),
  sqlTemplate: Type.String({ maxLength: limits.sqlLength }),
  ...numberFormat,
};
const sqlForms = [
  Type.Object({ displayType: Type.Literal('line'), ...sql, ...timeFields, ...lineOnly }),
  Type.Object({ displayType: Type.Literal('stacked_bar'), ...sql, ...timeFields }),
  Type.Object({ displayType: Type.Literal('stacked_line'), ...sql, ...timeFields, ...ofLines }),
  Type.Object({ displayType: Type.Literal('table'), ...sql, onClick: Type.Optional(OnClickSchema) }),
  Type.Object({ displayType: Type.Literal('number'), ...sql, color: Type.Optional(ColorSchema) }),
  Type.Object({ displayType: Type.Literal('pie'), ...sql }),
  Type.Object({ displayType: Type.Literal('bar'), ...sql }),
] as const;
export type SqlConfig = Static<(typeof sqlForms)[number]>;

const byDisplayType = (forms: readonly TSchema[]) => ({
  required: ['displayType'],
  discriminator: { propertyName: 'displayType' },
  oneOf: forms,
});

/** The form in which current clients write a tile. Unknown keys are kept (decisions F8). */
export const TileConfigSchema = Type.Unsafe<BuilderConfig | SqlConfig>({
  title: 'TileConfig',
  type: 'object',
  if: { required: ['configType'], properties: { configType: { const: 'sql' } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: byDisplayType(sqlForms),
  else: byDisplayType(builderForms),
});
export type TileConfig = BuilderConfig | SqlConfig;
export function isSqlConfig(config: TileConfig): config is SqlConfig {
  return config.configType === 'sql';
}

/** Every key of any `config` form that we know. */
export const configKeys: ReadonlySet<string> = new Set(
  [...builderForms, ...sqlForms].flatMap((form) => Object.keys(form.properties)),
);
export const selectItemKeys: ReadonlySet<string> = new Set([
  ...Object.keys(SelectItemSchema.properties),
  'countExpression',
  'heatmapScaleType',
]);
