import { Ajv2020 as Ajv, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import type { Problem } from '../contract/problem.ts';
import { explainProblems } from './explain-problems.ts';
import type { SchemaCheck } from './operation.ts';

const common = { strict: false, discriminator: true, verbose: true, useDefaults: false } as const;
const bodies = new Ajv({ ...common, coerceTypes: false, removeAdditional: false });
const everyError = new Ajv({ ...common, coerceTypes: false, removeAdditional: false, allErrors: true });
const queries = new Ajv({ ...common, coerceTypes: true, removeAdditional: false, allErrors: true });

/** Above this size only the first problem is looked for: millions of them would fill the memory. */
const explainedCharactersMax = 1_000_000;

/**
 * Judges bodies: nothing is coerced, nothing removed. The usual case runs a validator that stops at the first error; the
 * one that finds all of them is compiled when it is first needed.
 */
export function bodyCheck(schema: TSchema): SchemaCheck {
  const validate = bodies.compile(schema);
  let validateAll: ValidateFunction | undefined;
  return (value) => {
    if (validate(value)) return [];
    const first = explainProblems(validate.errors ?? []);
    if (JSON.stringify(value).length > explainedCharactersMax) return first;
    validateAll ??= everyError.compile(schema);
    return validateAll(value) ? first : explainProblems(validateAll.errors ?? []);
  };
}

export type QueryCheck = (query: Record<string, unknown>) => { query: unknown; problems: readonly Problem[] };

/** Judges query strings: numbers and booleans are read from text; unknown parameters are tolerated (decisions F8). */
export function queryCheck(schema: TSchema): QueryCheck {
  const validate = queries.compile(schema);
  return (query) => {
    const coerced = { ...query };
    const problems = validate(coerced) ? [] : explainProblems(validate.errors ?? []);
    return { query: coerced, problems };
  };
}
