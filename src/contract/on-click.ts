import { type Static, Type } from 'typebox';
import { limits } from './limits.ts';
import { ExpressionSchema, WhereLanguageSchema } from './series.ts';

const template = Type.String({ minLength: 1, maxLength: limits.expressionLength });

const TargetSchema = Type.Unsafe<{ mode: 'id'; id: string } | { mode: 'template'; template: string }>({
  type: 'object',
  required: ['mode'],
  discriminator: { propertyName: 'mode' },
  oneOf: [
    Type.Object({ mode: Type.Literal('id'), id: Type.String({ maxLength: 64 }) }),
    Type.Object({ mode: Type.Literal('template'), template }),
  ],
});

const inside = {
  target: TargetSchema,
  whereTemplate: Type.Optional(ExpressionSchema),
  whereLanguage: Type.Optional(WhereLanguageSchema),
  filters: Type.Optional(
    Type.Array(
      Type.Object({
        kind: Type.Literal('expressionTemplate'),
        expression: ExpressionSchema,
        template: ExpressionSchema,
      }),
      { maxItems: 50 },
    ),
  ),
};
const SearchSchema = Type.Object({ type: Type.Literal('search'), ...inside });
const DashboardSchema = Type.Object({ type: Type.Literal('dashboard'), ...inside });
const ExternalSchema = Type.Object({ type: Type.Literal('external'), urlTemplate: template });

export type OnClick = Static<typeof SearchSchema> | Static<typeof DashboardSchema> | Static<typeof ExternalSchema>;

/** Where a click on a table row leads. */
export const OnClickSchema = Type.Unsafe<OnClick>({
  title: 'OnClick',
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: [SearchSchema, DashboardSchema, ExternalSchema],
});
