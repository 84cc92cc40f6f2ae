import { type Static, Type } from 'typebox';
import { ReferenceIdSchema } from './identifiers.ts';
import { limits } from './limits.ts';
import { rejectedKeys } from './rejected-key.ts';
import { MetricDataTypeSchema, WhereLanguageSchema, WhereSchema } from './series.ts';

const text = Type.String({ minLength: 1, maxLength: limits.expressionLength });
const fields = {
  type: Type.Literal('QUERY_EXPRESSION'),
  name: text,
  expression: text,
  sourceId: ReferenceIdSchema,
  sourceMetricType: Type.Optional(MetricDataTypeSchema),
  where: Type.Optional(WhereSchema),
  whereLanguage: Type.Optional(WhereLanguageSchema),
  appliesToSourceIds: Type.Optional(Type.Array(ReferenceIdSchema, { maxItems: 100 })),
  isBroadcastEnabled: Type.Optional(Type.Boolean({ description: 'Default: on.' })),
  isVariableEnabled: Type.Optional(Type.Boolean({ description: 'Default: off.' })),
  variableName: Type.Optional(
    Type.String({ maxLength: limits.variableNameLength, pattern: '^[A-Za-z][A-Za-z0-9_]*$' }),
  ),
};

/** A control at the top of a dashboard that narrows its tiles. */
export const DashboardFilterSchema = Type.Object({ id: Type.String(), ...fields }, { title: 'DashboardFilter' });
export type DashboardFilter = Static<typeof DashboardFilterSchema>;

export const DashboardFilterInputSchema = Type.Object(
  {
    id: Type.Optional(Type.String({ maxLength: limits.tileIdLength })),
    ...fields,
    ...rejectedKeys(
      ['minSelections', 'maxSelections', 'isGlobalRequirement'],
      'is not supported: any number of values of a filter can be selected',
    ),
  },
  { title: 'DashboardFilterInput' },
);
export type DashboardFilterInput = Static<typeof DashboardFilterInputSchema>;

export const filterKeys: readonly string[] = Object.keys(DashboardFilterSchema.properties);
