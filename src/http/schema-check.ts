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

/** Compiling takes far longer than judging, so a schema is compiled when it is first needed, not at the start. */
function compiledOnUse(ajv: Ajv, schema: TSchema): () => ValidateFunction {
  let validate: ValidateFunction | undefined;
  return () => {
    validate ??= ajv.compile(schema);
    return validate;
  };
}

/** Judges bodies: nothing is coerced, nothing removed. The usual case runs a validator that stops at the first error. */
export function bodyCheck(schema: TSchema): SchemaCheck {
  const firstError = compiledOnUse(bodies, schema);
  const allErrors = compiledOnUse(everyError, schema);
  return (value) => {
    const validate = firstError();
    if (validate(value)) return [];
    const first = explainProblems(validate.errors ?? []);
    if (JSON.stringify(value).length > explainedCharactersMax) return first;
    const validateAll = allErrors();
    return validateAll(value) ? first : explainProblems(validateAll.errors ?? []);
  };
}

export type QueryCheck = (query: Record<string, unknown>) => { query: unknown; problems: readonly Problem[] };

/** Judges query strings: numbers and booleans are read from text; unknown parameters are tolerated (decisions F8). */
export function queryCheck(schema: TSchema): QueryCheck {
  const compiled = compiledOnUse(queries, schema);
  return (query) => {
    const validate = compiled();
    const coerced = { ...query };
    const problems = validate(coerced) ? [] : explainProblems(validate.errors ?? []);
    return { query: coerced, problems };
  };
}
