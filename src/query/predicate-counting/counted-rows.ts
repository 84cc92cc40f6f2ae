import type { Select } from '../plan/select.ts';
import type { SqlExpr } from '../plan/sql-expr.ts';

/**
 * The rows that each series of a planned chart counts, as conditions that all hold of them; `undefined` when some
 * series asks for more than their number.
 */
export function countedRowsOf({ columns, where = [] }: Select): SqlExpr[][] | undefined {
  const counts = columns.filter(({ as }) => /^n\d/.test(as));
  const values = columns.filter(({ as }) => /^v\d/.test(as));
  const isCount = counts.every(({ expr }, index) => isNumberOf(values[index]?.expr, expr));
  return isCount ? counts.map(({ expr }) => [...where, ...ownCondition(expr)]) : undefined;
}

/** Is the value `toNullable(toFloat64(count))` of the same rows? */
function isNumberOf(value: SqlExpr | undefined, count: SqlExpr): boolean {
  const float = value?.kind === 'call' ? value.args[0] : undefined;
  const counted = float?.kind === 'call' && float.name === 'toFloat64' ? float.args[0] : undefined;
  if (counted?.kind !== 'call' || count.kind !== 'call' || counted.name !== count.name) return false;
  return counted.args.length === count.args.length && counted.args.every((arg, index) => arg === count.args[index]);
}

/** Of `countIf(condition)`; `count()` has none. */
function ownCondition(count: SqlExpr): readonly SqlExpr[] {
  return count.kind === 'call' ? count.args : [];
}
