import { arrayValidator } from './array-validator.ts';
import { choiceValidator } from './choice-validator.ts';
import type { Validator } from './findings.ts';
import { isOfType, typeMessage } from './json-type.ts';
import { objectValidator } from './object-validator.ts';
import { scalarValidator } from './scalar-validator.ts';
import { asNode, type SchemaNode } from './schema-node.ts';

/** Parts that several schemas share are built once. */
const built = new WeakMap<object, Validator>();

/**
 * A validator of values against a schema. It is a tree of functions, put together in a millisecond: a validator that generates
 * code takes hundreds for the schema of a dashboard, and blocks the event loop meanwhile.
 * @throws {Error} when the schema has a keyword that is not supported
 */
export function validatorOf(schema: object): Validator {
  const known = built.get(schema);
  if (known) return known;
  const validate = build(asNode(schema));
  built.set(schema, validate);
  return validate;
}

function build(node: SchemaNode): Validator {
  const parts = [
    scalarValidator(node),
    arrayValidator(node, validatorOf),
    objectValidator(node, validatorOf),
    choiceValidator(node, validatorOf),
  ].filter((part): part is Validator => part !== undefined);
  const types = node.type === undefined ? undefined : [node.type].flat();
  const wrongType = types && (node['x-rejected'] ?? typeMessage(types));
  return (value, findings) => {
    if (types && !types.some((type) => isOfType(value, type))) return findings.add(wrongType ?? '');
    for (const part of parts) part(value, findings);
  };
}
