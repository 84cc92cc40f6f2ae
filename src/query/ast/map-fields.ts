import type { Field, TextExpr } from './text-expr.ts';

/** A copy of the tree in which every field node went through `change`. All passes over user text are made of this. */
export function mapFields(expr: TextExpr, change: (field: Field) => Field): TextExpr {
  const inside = (item: TextExpr): TextExpr => mapFields(item, change);
  switch (expr.kind) {
    case 'everything':
    case 'words':
    case 'literal':
      return expr;
    case 'allOf':
    case 'anyOf':
      return { ...expr, items: expr.items.map(inside) };
    case 'not':
    case 'like':
    case 'isNull':
      return { ...expr, item: inside(expr.item) };
    case 'regex':
      return expr.item === undefined ? expr : { ...expr, item: inside(expr.item) };
    case 'in':
      return { ...expr, item: inside(expr.item), options: expr.options.map(inside) };
    case 'match':
      return { ...expr, field: change(expr.field) };
    case 'compare':
    case 'arithmetic':
      return { ...expr, left: inside(expr.left), right: inside(expr.right) };
    case 'call':
      return { ...expr, args: expr.args.map(inside) };
    default:
      return change(expr);
  }
}
