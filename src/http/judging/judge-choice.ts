import type { Finding, Findings, Judge, JudgeOf } from './findings.ts';
import { isObject } from './json-type.ts';
import { oneOfThese } from './judge-scalar.ts';
import type { SchemaNode } from './schema-node.ts';

/** Schemas out of which the value chooses one. */
export function judgeChoice(node: SchemaNode, judgeOf: JudgeOf): Judge | undefined {
  const judges = [condition(node, judgeOf), tagged(node, judgeOf), union(node, judgeOf)].filter(
    (judge): judge is Judge => judge !== undefined,
  );
  if (judges.length === 0) return undefined;
  return (value, findings) => {
    for (const judge of judges) judge(value, findings);
  };
}

function condition(node: SchemaNode, judgeOf: JudgeOf): Judge | undefined {
  if (!node.if) return undefined;
  const holds = judgeOf(node.if);
  const [yes, no] = [node.then && judgeOf(node.then), node.else && judgeOf(node.else)];
  return (value, findings) => {
    const aside = findings.aside();
    holds(value, aside);
    (aside.list.length === 0 ? yes : no)?.(value, findings);
  };
}

/** Branches that the value of one field tells apart. */
function tagged(node: SchemaNode, judgeOf: JudgeOf): Judge | undefined {
  if (!node.oneOf) return undefined;
  const tag = node.discriminator?.propertyName;
  if (tag === undefined) throw new Error('no judge knows oneOf without a discriminator');
  const branches = new Map<unknown, Judge>();
  for (const branch of node.oneOf) {
    const field = branch.properties?.[tag];
    for (const value of field?.enum ?? [field?.const]) branches.set(value, judgeOf(branch));
  }
  const message = oneOfThese([...branches.keys()]);
  return (value, findings) => {
    if (!isObject(value)) return;
    const judge = branches.get(value[tag]);
    if (judge) judge(value, findings);
    else findings.add(message, tag);
  };
}

function union(node: SchemaNode, judgeOf: JudgeOf): Judge | undefined {
  const branches = node.anyOf?.map(judgeOf);
  if (!branches) return undefined;
  return (value, findings) => {
    const found: Finding[] = [];
    for (const judge of branches) {
      const aside = findings.aside();
      judge(value, aside);
      if (aside.list.length === 0) return;
      found.push(...aside.list);
    }
    explain(found, findings);
  };
}

/** What lies deeper tells most: the branch that was meant. Else the branches are the alternatives. */
function explain(found: readonly Finding[], findings: Findings): void {
  const deeper = found.filter(({ depth }) => depth > findings.depth);
  if (deeper.length > 0) findings.take(deeper);
  else findings.add([...new Set(found.map(({ message }) => message))].join(', or '));
}
