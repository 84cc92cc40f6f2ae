import { mapFields } from './ast/map-fields.ts';
import type { Field, Literal, TextExpr } from './ast/text-expr.ts';
import { QueryTextError } from './compiled-query.ts';
import { parseSqlValue } from './sql/parse-sql.ts';

/** The column that gauges and sums keep their values in, and the name by which an expression speaks of them. */
export const valueColumn = 'Value';

/** Why distributions have no value expression. */
export const onlyNumbersCalculate =
  'only values of gauges and sums can be calculated with; omit this or use Value, and use a formula such as A / 1024';

/**
 * The number that each value of a sum is multiplied with: `0.5 / x` of `Value * 0.5 / x`. What a sum gained is a
 * difference of values, so only multiples of the value, and sums of these, say something of it. Throws `QueryTextError`
 * with the position for any other expression.
 */
export function scaleOfSum(text: string): TextExpr {
  const tree = parseSqlValue(text);
  const scale = scaleOf(tree);
  if (scale) return scale;
  const rule =
    'only multiples of the value can be calculated of a sum, such as Value / 1024; for others, use a formula';
  throw new QueryTextError(rule, 0, text.length);
}

/** `undefined` of what is no multiple of the value. */
function scaleOf(tree: TextExpr): TextExpr | undefined {
  if (tree.kind === 'name') return isValue(tree) ? one(tree) : undefined;
  // All values are calculated with in floating point.
  if (tree.kind === 'call')
    return tree.name.toLowerCase() === 'tofloat64' && tree.args[0] ? scaleOf(tree.args[0]) : undefined;
  if (tree.kind !== 'arithmetic') return undefined;
  const { operator, left, right } = tree;
  const [ofLeft, ofRight] = [scaleOf(left), scaleOf(right)];
  switch (operator) {
    case '*':
      if (ofLeft && !namesValue(right)) return { ...tree, left: ofLeft };
      return ofRight && !namesValue(left) ? { ...tree, right: ofRight } : undefined;
    case '/':
      return ofLeft && !namesValue(right) ? { ...tree, left: ofLeft } : undefined;
    case '+':
    case '-': {
      const first = operator === '-' && isZero(left) ? left : ofLeft;
      return first && ofRight ? { ...tree, left: first, right: ofRight } : undefined;
    }
    default:
      return undefined;
  }
}

function one({ start, end }: Field): Literal {
  return { kind: 'literal', type: 'number', text: '1', start, end };
}

/** What a minus sign in front of an expression is read as. */
function isZero(tree: TextExpr): boolean {
  return tree.kind === 'literal' && tree.type === 'number' && tree.text === '0';
}

function isValue(field: Field): boolean {
  return field.kind === 'name' && field.name === valueColumn && field.key === undefined;
}

function namesValue(tree: TextExpr): boolean {
  let found = false;
  mapFields(tree, (field) => {
    found ||= isValue(field);
    return field;
  });
  return found;
}
