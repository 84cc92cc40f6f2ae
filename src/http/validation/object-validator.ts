import type { Findings, Validator, ValidatorOf } from './findings.ts';
import { isObject } from './json-type.ts';
import type { SchemaNode } from './schema-node.ts';

type Fields = Readonly<Record<string, unknown>>;
type Part = (value: Fields, findings: Findings) => void;

export function objectValidator(node: SchemaNode, validatorOf: ValidatorOf): Validator | undefined {
  const parts = [count(node), required(node), others(node, validatorOf), properties(node, validatorOf)].filter(
    (part): part is Part => part !== undefined,
  );
  if (parts.length === 0) return undefined;
  return (value, findings) => {
    if (!isObject(value)) return;
    for (const part of parts) part(value, findings);
  };
}

function count({ maxProperties }: SchemaNode): Part | undefined {
  if (maxProperties === undefined) return undefined;
  const message = `must have at most ${maxProperties} ${maxProperties === 1 ? 'field' : 'fields'}`;
  return (value, findings) => {
    if (Object.keys(value).length > maxProperties) findings.add(message);
  };
}

function required({ required: names = [] }: SchemaNode): Part | undefined {
  if (names.length === 0) return undefined;
  return (value, findings) => {
    for (const name of names) if (value[name] === undefined) findings.add('is required', name);
  };
}

function properties({ properties: fields = {} }: SchemaNode, validatorOf: ValidatorOf): Part | undefined {
  const validators = Object.entries(fields).map(([name, schema]) => [name, validatorOf(schema)] as const);
  if (validators.length === 0) return undefined;
  return (value, findings) => {
    for (const [name, validate] of validators) {
      const field = value[name];
      if (field === undefined) continue;
      if (findings.isFull) return;
      validateField(validate, { name, field, findings });
    }
  };
}

/** Fields that are not named one by one. */
function others(node: SchemaNode, validatorOf: ValidatorOf): Part | undefined {
  const { properties: named = {}, patternProperties = {}, additionalProperties = true } = node;
  const patterns = Object.entries(patternProperties).map(
    ([pattern, schema]) => [new RegExp(pattern, 'u'), validatorOf(schema)] as const,
  );
  const additional = typeof additionalProperties === 'object' && validatorOf(additionalProperties);
  if (patterns.length === 0 && additionalProperties === true) return undefined;
  return (value, findings) => {
    for (const [name, field] of Object.entries(value)) {
      if (findings.isFull) return;
      const matching = patterns.filter(([pattern]) => pattern.test(name));
      for (const [, validate] of matching) validateField(validate, { name, field, findings });
      if (matching.length > 0 || Object.hasOwn(named, name)) continue;
      if (additional) validateField(additional, { name, field, findings });
      else if (additionalProperties === false) findings.add('is not a known field', name);
    }
  };
}

function validateField(validate: Validator, at: { name: string; field: unknown; findings: Findings }): void {
  at.findings.enter(at.name);
  validate(at.field, at.findings);
  at.findings.leave();
}
