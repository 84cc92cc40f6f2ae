import type { Judge } from './findings.ts';
import { isOfType, typeMessage } from './json-type.ts';
import { judgeArray } from './judge-array.ts';
import { judgeChoice } from './judge-choice.ts';
import { judgeObject } from './judge-object.ts';
import { judgeScalar } from './judge-scalar.ts';
import { asNode, type SchemaNode } from './schema-node.ts';

/** Parts that several schemas share are built once. */
const built = new WeakMap<object, Judge>();

/**
 * A judge of values by a schema. It is a tree of functions, put together in a millisecond: a validator that generates
 * code takes hundreds for the schema of a dashboard, and holds up everybody meanwhile.
 * @throws {Error} when the schema has a keyword that is not judged
 */
export function judgeOf(schema: object): Judge {
  const known = built.get(schema);
  if (known) return known;
  const judge = build(asNode(schema));
  built.set(schema, judge);
  return judge;
}

function build(node: SchemaNode): Judge {
  const parts = [
    judgeScalar(node),
    judgeArray(node, judgeOf),
    judgeObject(node, judgeOf),
    judgeChoice(node, judgeOf),
  ].filter((part): part is Judge => part !== undefined);
  const types = node.type === undefined ? undefined : [node.type].flat();
  const wrongType = types && (node['x-refused'] ?? typeMessage(types));
  return (value, findings) => {
    if (types && !types.some((type) => isOfType(value, type))) return findings.add(wrongType ?? '');
    for (const part of parts) part(value, findings);
  };
}
