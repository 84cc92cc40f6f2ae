import { allSelects, expressionsOf, type Select } from './plan/select.ts';
import type { SqlExpr } from './plan/sql-expr.ts';
import { partsOf } from './plan/walk-expr.ts';
import { volatileFunctionNames } from './sql/functions.ts';

/** Whether the same rows may give another answer later: the user's texts ask for the time. */
export function readsClock(plan: Select): boolean {
  const seen = new Set<SqlExpr>();
  const asks = (expr: SqlExpr): boolean => {
    if (seen.has(expr)) return false;
    seen.add(expr);
    return (expr.kind === 'call' && volatileFunctionNames.has(expr.name)) || [...partsOf(expr)].some(asks);
  };
  return [...allSelects(plan)].some((select) => [...expressionsOf(select)].some(asks));
}
