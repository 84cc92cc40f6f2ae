import { type Static, Type } from 'typebox';
import { chartColors } from './chart-colors.ts';
import { limits } from './limits.ts';

export const ColorSchema = Type.Enum(chartColors, { title: 'ChartColor' });
const rule = { color: ColorSchema, label: Type.Optional(Type.String({ maxLength: 40 })) };
const NumericRuleSchema = Type.Object({
  operator: Type.Enum(['gt', 'gte', 'lt', 'lte'] as const),
  value: Type.Number(),
  ...rule,
});
const BetweenRuleSchema = Type.Object({
  operator: Type.Literal('between'),
  value: Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }),
  ...rule,
});
const EqualRuleSchema = Type.Object({
  operator: Type.Enum(['eq', 'neq'] as const),
  value: Type.Unsafe<number | string>({ type: ['number', 'string'], maxLength: 200 }),
  ...rule,
});

/** Colours a number by its value; the first rule that matches wins. */
export const ColorRuleSchema = Type.Unsafe<
  Static<typeof NumericRuleSchema> | Static<typeof BetweenRuleSchema> | Static<typeof EqualRuleSchema>
>({
  title: 'ColorRule',
  type: 'object',
  required: ['operator'],
  discriminator: { propertyName: 'operator' },
  oneOf: [NumericRuleSchema, BetweenRuleSchema, EqualRuleSchema],
});
export const ColorRulesSchema = Type.Array(ColorRuleSchema, { maxItems: limits.colorRules });
