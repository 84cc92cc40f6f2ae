import type { OutputColumn, Select } from '../plan/select.ts';
import type { SqlExpr } from '../plan/sql-expr.ts';

/** The statement to run, and the result columns that serve as two. */
export interface WithoutRepeats {
  readonly asked: Select;
  /** Column → a later one with the same numbers, which is not selected. */
  readonly repeated: ReadonlyMap<string, string>;
}

/** The value of a plain count is the number of its rows: planning and sending it once more costs as much as counting. */
export function dropRepeats(plan: Select): WithoutRepeats {
  const repeated = new Map<string, string>();
  const columns: OutputColumn[] = [];
  for (const column of plan.columns) {
    const before = columns.at(-1);
    if (before && isCopy(column, before)) repeated.set(before.as, column.as);
    else columns.push(column);
  }
  return { asked: { ...plan, columns }, repeated };
}

function isCopy({ as, expr }: OutputColumn, before: OutputColumn): boolean {
  if (!as.startsWith('v') || before.as !== `n${as.slice(1)}`) return false;
  const number = operandOf(operandOf(expr, 'toNullable'), 'toFloat64');
  return number !== undefined && JSON.stringify(number) === JSON.stringify(before.expr);
}

function operandOf(expr: SqlExpr | undefined, name: string): SqlExpr | undefined {
  return expr?.kind === 'call' && expr.name === name ? expr.args[0] : undefined;
}
