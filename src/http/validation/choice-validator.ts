import type { Finding, Findings, Validator, ValidatorOf } from './findings.ts';
import { isObject } from './json-type.ts';
import { oneOfThese } from './scalar-validator.ts';
import type { SchemaNode } from './schema-node.ts';

/** Schemas out of which the value chooses one. */
export function choiceValidator(node: SchemaNode, validatorOf: ValidatorOf): Validator | undefined {
  const validators = [condition(node, validatorOf), tagged(node, validatorOf), union(node, validatorOf)].filter(
    (validate): validate is Validator => validate !== undefined,
  );
  if (validators.length === 0) return undefined;
  return (value, findings) => {
    for (const validate of validators) validate(value, findings);
  };
}

function condition(node: SchemaNode, validatorOf: ValidatorOf): Validator | undefined {
  if (!node.if) return undefined;
  const holds = validatorOf(node.if);
  const [yes, no] = [node.then && validatorOf(node.then), node.else && validatorOf(node.else)];
  return (value, findings) => {
    const aside = findings.aside();
    holds(value, aside);
    (aside.list.length === 0 ? yes : no)?.(value, findings);
  };
}

/** Branches that the value of one field selects. */
function tagged(node: SchemaNode, validatorOf: ValidatorOf): Validator | undefined {
  if (!node.oneOf) return undefined;
  const tag = node.discriminator?.propertyName;
  if (tag === undefined) throw new Error('no validator supports oneOf without a discriminator');
  const branches = new Map<unknown, Validator>();
  for (const branch of node.oneOf) {
    const field = branch.properties?.[tag];
    for (const value of field?.enum ?? [field?.const]) branches.set(value, validatorOf(branch));
  }
  const message = oneOfThese([...branches.keys()]);
  return (value, findings) => {
    if (!isObject(value)) return;
    const validate = branches.get(value[tag]);
    if (validate) validate(value, findings);
    else findings.add(message, tag);
  };
}

function union(node: SchemaNode, validatorOf: ValidatorOf): Validator | undefined {
  const branches = node.anyOf?.map(validatorOf);
  if (!branches) return undefined;
  return (value, findings) => {
    const found: Finding[] = [];
    for (const validate of branches) {
      const aside = findings.aside();
      validate(value, aside);
      if (aside.list.length === 0) return;
      found.push(...aside.list);
    }
    explain(found, findings);
  };
}

/** What lies deeper is the most specific: the branch that was meant. Else the branches are the alternatives. */
function explain(found: readonly Finding[], findings: Findings): void {
  const deeper = found.filter(({ depth }) => depth > findings.depth);
  if (deeper.length > 0) findings.take(deeper);
  else findings.add([...new Set(found.map(({ message }) => message))].join(', or '));
}
