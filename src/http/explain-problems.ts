import type { ErrorObject } from 'ajv';
import type { Problem } from '../contract/problem.ts';
import { refusalKeyword } from '../contract/refused-key.ts';

/** Turns ajv's errors into problems that a person understands: dotted path, and what would be right. */
export function explainProblems(errors: readonly ErrorObject[]): Problem[] {
  const unions = errors.filter((error) => error.keyword === 'anyOf');
  const problems = errors
    .filter((error) => error.keyword !== 'if' && !unions.some((union) => isBranchOf(error, union)))
    .flatMap((error) => (error.keyword === 'anyOf' ? explainUnion(error, errors) : [explain(error)]));
  return distinct(problems);
}

function isBranchOf(error: ErrorObject, union: ErrorObject): boolean {
  return error !== union && error.schemaPath.startsWith(`${union.schemaPath}/`) && isWithin(error, union);
}

function isWithin(error: ErrorObject, outer: ErrorObject): boolean {
  return error.instancePath === outer.instancePath || error.instancePath.startsWith(`${outer.instancePath}/`);
}

/** Errors deeper inside tell most: the branch that was meant. Else the branches are the alternatives. */
function explainUnion(union: ErrorObject, errors: readonly ErrorObject[]): Problem[] {
  const branches = errors.filter((error) => isBranchOf(error, union));
  const deeper = branches.filter((error) => error.instancePath !== union.instancePath);
  if (deeper.length > 0) return deeper.map(explain);
  const reasons = new Set(branches.map((error) => explain(error).message));
  return [{ path: dotted(union.instancePath), message: [...reasons].join(', or ') || 'is not one of the known forms' }];
}

function explain(error: ErrorObject): Problem {
  const path = dotted(error.instancePath);
  const { params } = error;
  switch (error.keyword) {
    case 'required':
      return { path: join(path, params.missingProperty), message: 'is required' };
    case 'additionalProperties':
      return { path: join(path, params.additionalProperty), message: 'is not a known field' };
    case 'discriminator':
      return { path: join(path, params.tag), message: oneOf(tagValues(error)) };
    default:
      return { path, message: reason(error) };
  }
}

function reason(error: ErrorObject): string {
  const { params } = error;
  const refusal: unknown = error.parentSchema?.[refusalKeyword];
  if (typeof refusal === 'string') return refusal;
  switch (error.keyword) {
    case 'enum':
      return oneOf(params.allowedValues);
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case 'type':
      return `must be ${[params.type].flat().map(withArticle).join(' or ')}`;
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`;
    case 'maxLength':
      return `must have at most ${params.limit} characters`;
    case 'minItems':
      return `must have at least ${params.limit} ${params.limit === 1 ? 'item' : 'items'}`;
    case 'maxItems':
      return `must have at most ${params.limit} ${params.limit === 1 ? 'item' : 'items'}`;
    case 'minimum':
      return outside(error, `at least ${params.limit}`);
    case 'maximum':
      return outside(error, `at most ${params.limit}`);
    case 'pattern':
      return `must match ${params.pattern}`;
    default:
      return error.message ?? 'is not valid';
  }
}

/** A range of numbers that has a name is called by it. */
function outside(error: ErrorObject, bound: string): string {
  const meant: unknown = error.parentSchema?.['x-must-be'];
  return `must be ${typeof meant === 'string' ? meant : bound}`;
}

function oneOf(values: readonly unknown[]): string {
  return `must be one of ${values.join(', ')}`;
}

function withArticle(type: string): string {
  if (type === 'null') return 'null';
  return `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;
}

/** The values that select a branch (`parentSchema` is there because ajv runs verbose). */
function tagValues(error: ErrorObject): unknown[] {
  const branches: { properties?: Record<string, { const?: unknown; enum?: unknown[] }> }[] =
    error.parentSchema?.oneOf ?? [];
  return branches.flatMap((branch) => {
    const tag = branch.properties?.[error.params.tag];
    return tag?.enum ?? [tag?.const];
  });
}

function dotted(instancePath: string): string {
  const segments = instancePath.split('/').slice(1);
  return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function distinct(problems: readonly Problem[]): Problem[] {
  const seen = new Map(problems.map((problem) => [`${problem.path}\n${problem.message}`, problem]));
  return [...seen.values()];
}
