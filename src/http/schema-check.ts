import type { ErrorObject } from 'ajv';
import { Ajv2020 as Ajv, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import type { Problem } from '../contract/problem.ts';
import { explainProblems } from './explain-problems.ts';
import type { SchemaCheck } from './operation.ts';

/** Tidying what is generated takes half of the compilation, which holds up everybody, and judging is no faster for it. */
const code = { optimize: false } as const;
const common = { strict: false, discriminator: true, verbose: true, useDefaults: false, code } as const;
const bodies = new Ajv({ ...common, strictNumbers: true, coerceTypes: false, removeAdditional: false });
const manyErrors = new Ajv({
  ...common,
  strictNumbers: true,
  coerceTypes: false,
  removeAdditional: false,
  allErrors: true,
  code: { ...code, process: stopWhenFull },
});
// Without `strictNumbers`, which would let the infinite numbers that texts are read as pass every bound.
const queries = new Ajv({ ...common, coerceTypes: true, removeAdditional: false, allErrors: true });

/**
 * The validator that lists problems gives up after this many errors of branches and fields, which make about twenty
 * problems or more: a few kilobytes of wrong items would keep it busy for minutes otherwise.
 */
const errorsMax = 400;

/** What ajv generates has no such limit of its own. */
function stopWhenFull(code: string): string {
  const bounded = code.replaceAll(/vErrors\.push\((err\d+)\)/g, 'keep(vErrors, $1)');
  return `const keep = (kept, error) => { if (kept.length >= ${errorsMax}) throw { kept }; kept.push(error); };${bounded}`;
}

/** Errors that were found until the end, or until there were enough. */
function errorsOf(validate: ValidateFunction, value: unknown): readonly ErrorObject[] {
  try {
    return validate(value) ? [] : (validate.errors ?? []);
  } catch (thrown) {
    if (typeof thrown === 'object' && thrown !== null && 'kept' in thrown) return thrown.kept as ErrorObject[];
    throw thrown;
  }
}

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
  const listErrors = compiledOnUse(manyErrors, schema);
  return (value) => {
    const validate = firstError();
    if (validate(value)) return [];
    const problems = explainProblems(errorsOf(listErrors(), value));
    return problems.length > 0 ? problems : explainProblems(validate.errors ?? []);
  };
}

export type QueryCheck = (query: Record<string, unknown>) => { query: unknown; problems: readonly Problem[] };

/** Judges query strings: numbers and booleans are read from text; unknown parameters are tolerated (decisions F8). */
export function queryCheck(schema: TSchema): QueryCheck {
  const compiled = compiledOnUse(queries, schema);
  return (query) => {
    const withNul = Object.keys(query).find((name) => [query[name]].flat().some((value) => holdsNul(value)));
    if (withNul !== undefined) {
      return { query, problems: [{ path: withNul, message: 'must not hold the character U+0000' }] };
    }
    const validate = compiled();
    const coerced = { ...query };
    const problems = validate(coerced) ? [] : explainProblems(validate.errors ?? []);
    return { query: coerced, problems };
  };
}

function holdsNul(value: unknown): boolean {
  return typeof value === 'string' && value.includes('\0');
}
