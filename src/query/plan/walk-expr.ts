import type { SqlExpr } from './sql-expr.ts';

/** The expressions of which this one is made, one level down. */
export function partsOf(expr: SqlExpr): readonly SqlExpr[] {
  switch (expr.kind) {
    case 'call':
      return expr.args;
    case 'binary':
      return [expr.left, expr.right];
    case 'and':
    case 'or':
      return expr.items;
    case 'not':
      return [expr.item];
    case 'memberOf':
      return [expr.item, expr.array];
    case 'attribute':
      return [expr.from];
    case 'lambda':
      return [expr.body];
    case 'window':
      return [expr.call, ...expr.partitionBy, ...expr.orderBy];
    case 'overAll':
      return [expr.call, ...(expr.partitionBy ?? [])];
    default:
      return [];
  }
}

/** A copy with every part replaced by what `change` makes of it. */
export function mapParts(expr: SqlExpr, change: (part: SqlExpr) => SqlExpr): SqlExpr {
  switch (expr.kind) {
    case 'call':
      return { ...expr, args: expr.args.map(change) };
    case 'binary':
      return { ...expr, left: change(expr.left), right: change(expr.right) };
    case 'and':
    case 'or':
      return { ...expr, items: expr.items.map(change) };
    case 'not':
      return { ...expr, item: change(expr.item) };
    case 'memberOf':
      return { ...expr, item: change(expr.item), array: change(expr.array) };
    case 'attribute':
      return { ...expr, from: change(expr.from) };
    case 'lambda':
      return { ...expr, body: change(expr.body) };
    case 'window':
      return {
        ...expr,
        call: change(expr.call),
        partitionBy: expr.partitionBy.map(change),
        orderBy: expr.orderBy.map(change),
      };
    case 'overAll':
      return {
        ...expr,
        call: change(expr.call),
        ...(expr.partitionBy && { partitionBy: expr.partitionBy.map(change) }),
      };
    default:
      return expr;
  }
}

/** Whether `holds` is true of every column in the tree. Trees share calls; each is visited once. */
export function everyColumn(expr: SqlExpr, holds: (name: string) => boolean, seen = new Set<SqlExpr>()): boolean {
  if (expr.kind === 'column') return holds(expr.name);
  if (seen.has(expr)) return true;
  seen.add(expr);
  return partsOf(expr).every((part) => everyColumn(part, holds, seen));
}
