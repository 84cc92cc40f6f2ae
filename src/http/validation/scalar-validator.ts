import type { Validator } from './findings.ts';
import type { SchemaNode } from './schema-node.ts';

/** What a value is wrong in, or nothing. */
type Rule = (value: unknown) => string | undefined;

/** Numbers, texts, and values that are named one by one. */
export function scalarValidator(node: SchemaNode): Validator | undefined {
  const rules = [...enumeration(node), ...range(node), ...length(node), ...pattern(node)];
  if (rules.length === 0) return undefined;
  return (value, findings) => {
    for (const rule of rules) {
      const message = rule(value);
      if (message !== undefined) findings.add(node['x-rejected'] ?? message);
    }
  };
}

export function oneOfThese(values: readonly unknown[]): string {
  return `must be one of ${values.join(', ')}`;
}

function enumeration(node: SchemaNode): Rule[] {
  const rules: Rule[] = [];
  if (node.enum) {
    const allowed = new Set(node.enum);
    const message = oneOfThese(node.enum);
    rules.push((value) => (allowed.has(value) ? undefined : message));
  }
  if ('const' in node) {
    const message = `must be ${JSON.stringify(node.const)}`;
    rules.push((value) => (value === node.const ? undefined : message));
  }
  return rules;
}

function range({ minimum, maximum, 'x-must-be': meant }: SchemaNode): Rule[] {
  const [least, most] = [minimum ?? Number.NEGATIVE_INFINITY, maximum ?? Number.POSITIVE_INFINITY];
  if (minimum === undefined && maximum === undefined) return [];
  return [
    (value) => {
      if (typeof value !== 'number') return undefined;
      if (value < least) return `must be ${meant ?? `at least ${least}`}`;
      return value > most ? `must be ${meant ?? `at most ${most}`}` : undefined;
    },
  ];
}

function length({ minLength = 0, maxLength = Number.POSITIVE_INFINITY }: SchemaNode): Rule[] {
  if (minLength === 0 && maxLength === Number.POSITIVE_INFINITY) return [];
  const tooShort = minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`;
  return [
    (value) => {
      if (typeof value !== 'string') return undefined;
      // A character takes one or two units of a string's length, and most are decided by that alone.
      if (value.length <= maxLength && value.length >= 2 * minLength) return undefined;
      const characters = charactersOf(value);
      if (characters > maxLength) return `must have at most ${maxLength} characters`;
      return characters < minLength ? tooShort : undefined;
    },
  ];
}

function charactersOf(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function pattern(node: SchemaNode): Rule[] {
  if (node.pattern === undefined) return [];
  const expected = new RegExp(node.pattern, 'u');
  const message = `must match ${node.pattern}`;
  return [(value) => (typeof value !== 'string' || expected.test(value) ? undefined : message)];
}
