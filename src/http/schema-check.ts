import type { TSchema } from 'typebox';
import type { Problem } from '../contract/problem.ts';
import type { SchemaCheck } from './operation.ts';
import { Findings } from './validation/findings.ts';
import { validatorOf } from './validation/validator.ts';

/** Validates bodies: nothing is coerced, nothing removed. Reports about twenty problems at most. */
export function bodyCheck(schema: TSchema): SchemaCheck {
  const validate = validatorOf(schema);
  return (value) => {
    const findings = new Findings();
    validate(value, findings);
    return distinct(findings.list);
  };
}

export type QueryCheck = (query: Record<string, unknown>) => { query: unknown; problems: readonly Problem[] };

/**
 * Validates query strings: numbers and booleans are read from text; unknown parameters are tolerated (decisions F8).
 */
export function queryCheck(schema: TSchema): QueryCheck {
  const check = bodyCheck(schema);
  // Schemas of query strings are objects of scalars.
  const { properties } = schema as { properties?: Readonly<Record<string, { type?: string }>> };
  const types = Object.entries(properties ?? {}).map(([name, { type }]) => [name, type] as const);
  return (query) => {
    const withNul = Object.keys(query).find((name) => [query[name]].flat().some((value) => holdsNul(value)));
    if (withNul !== undefined) {
      return { query, problems: [{ path: withNul, message: 'must not contain the character U+0000' }] };
    }
    const read = { ...query };
    for (const [name, type] of types) if (name in read) read[name] = readAs(type, read[name]);
    return { query: read, problems: check(read) };
  };
}

/** The number or boolean that a text spells; else the text, which the schema then rejects. */
function readAs(type: string | undefined, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  if ((type !== 'integer' && type !== 'number') || value.trim() === '') return value;
  return Number.isFinite(Number(value)) ? Number(value) : value;
}

function holdsNul(value: unknown): boolean {
  return typeof value === 'string' && value.includes('\0');
}

function distinct(problems: readonly Problem[]): Problem[] {
  const seen = new Map(problems.map(({ path, message }) => [`${path}\n${message}`, { path, message }]));
  return [...seen.values()];
}
