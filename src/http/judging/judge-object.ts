import type { Findings, Judge, JudgeOf } from './findings.ts';
import { isObject } from './json-type.ts';
import type { SchemaNode } from './schema-node.ts';

type Fields = Readonly<Record<string, unknown>>;
type Part = (value: Fields, findings: Findings) => void;

export function judgeObject(node: SchemaNode, judgeOf: JudgeOf): Judge | undefined {
  const parts = [count(node), required(node), others(node, judgeOf), properties(node, judgeOf)].filter(
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

function properties({ properties: fields = {} }: SchemaNode, judgeOf: JudgeOf): Part | undefined {
  const judges = Object.entries(fields).map(([name, schema]) => [name, judgeOf(schema)] as const);
  if (judges.length === 0) return undefined;
  return (value, findings) => {
    for (const [name, judge] of judges) {
      const field = value[name];
      if (field === undefined) continue;
      if (findings.isFull) return;
      judgeField(judge, { name, field, findings });
    }
  };
}

/** Fields that are not named one by one. */
function others(node: SchemaNode, judgeOf: JudgeOf): Part | undefined {
  const { properties: named = {}, patternProperties = {}, additionalProperties = true } = node;
  const patterns = Object.entries(patternProperties).map(
    ([pattern, schema]) => [new RegExp(pattern, 'u'), judgeOf(schema)] as const,
  );
  const additional = typeof additionalProperties === 'object' && judgeOf(additionalProperties);
  if (patterns.length === 0 && additionalProperties === true) return undefined;
  return (value, findings) => {
    for (const [name, field] of Object.entries(value)) {
      if (findings.isFull) return;
      const matching = patterns.filter(([pattern]) => pattern.test(name));
      for (const [, judge] of matching) judgeField(judge, { name, field, findings });
      if (matching.length > 0 || Object.hasOwn(named, name)) continue;
      if (additional) judgeField(additional, { name, field, findings });
      else if (additionalProperties === false) findings.add('is not a known field', name);
    }
  };
}

function judgeField(judge: Judge, at: { name: string; field: unknown; findings: Findings }): void {
  at.findings.enter(at.name);
  judge(at.field, at.findings);
  at.findings.leave();
}
