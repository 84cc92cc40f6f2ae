import type { Validator, ValidatorOf } from './findings.ts';
import type { SchemaNode } from './schema-node.ts';

export function arrayValidator(node: SchemaNode, validatorOf: ValidatorOf): Validator | undefined {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node;
  const validateItem = node.items && validatorOf(node.items);
  if (!validateItem && minItems === 0 && maxItems === Number.POSITIVE_INFINITY) return undefined;
  return (value, findings) => {
    if (!Array.isArray(value)) return;
    // What is too long is not looked at any further.
    if (value.length > maxItems) return findings.add(`must have at most ${items(maxItems)}`);
    if (value.length < minItems) findings.add(`must have at least ${items(minItems)}`);
    for (let index = 0; validateItem && index < value.length && !findings.isFull; index += 1) {
      findings.enter(index);
      validateItem(value[index], findings);
      findings.leave();
    }
  };
}

function items(count: number): string {
  return `${count} ${count === 1 ? 'item' : 'items'}`;
}
