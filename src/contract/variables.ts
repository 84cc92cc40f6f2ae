import { type Static, Type } from 'typebox';
import { ExpressionSchema } from './series.ts';

/** Every limit on the variables of one request. */
export const variableLimits = { variables: 100, values: 1000, valueLength: 4096, nameLength: 64 } as const;

/** A variable of a dashboard with the values that are chosen. */
export const TileVariableSchema = Type.Object(
  {
    name: Type.String({
      maxLength: variableLimits.nameLength,
      pattern: '^[A-Za-z][A-Za-z0-9_]*$',
      description: 'As tiles write it behind a dollar sign.',
    }),
    values: Type.Array(Type.String({ maxLength: variableLimits.valueLength }), {
      maxItems: variableLimits.values,
      description: 'Chosen values; none = any.',
    }),
    expression: Type.Optional(ExpressionSchema),
  },
  { title: 'TileVariable' },
);
export type TileVariable = Static<typeof TileVariableSchema>;
