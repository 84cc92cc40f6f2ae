import { Type } from 'typebox';

/** Fewer digits are seconds or a mistake (contract §4.1); the store's clock ends in 2262. */
export const instantMsLimits = { min: 1_000_000_000_000, max: 9_223_372_036_854 } as const;

/** An instant in a body. `x-must-be` says in a rejection what the bounds mean. */
export function InstantMs(description: string) {
  return Type.Integer({
    minimum: instantMsLimits.min,
    maximum: instantMsLimits.max,
    'x-must-be': 'Unix time in milliseconds (13 digits)',
    description,
  });
}
