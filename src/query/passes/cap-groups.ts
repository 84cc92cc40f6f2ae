import type { Select } from '../plan/select.ts';
import { alias, call, constant, type SqlExpr } from '../plan/sql-expr.ts';

/**
 * Keeps the `groupsMax` groups with the most rows, whole, and says in `groups_total` how many there were; the result
 * is sorted by bucket, then group. `plan` gives `ts`, the groups, then pairs of `n…` and `v…`.
 */
export function capGroups(plan: Select, groups: readonly string[], groupsMax: number, rowsMax: number): Select {
  const others = plan.columns.map(({ as }) => as).filter((name) => !groups.includes(name));
  if (groups.length === 0) return { ...plan, orderBy: [{ expr: alias('ts') }], limit: rowsMax };
  const counts = others.filter((name) => name.startsWith('n')).map(alias);
  const largest: Select = {
    columns: [
      ...groups.map((name) => ({ as: name, expr: alias(name) })),
      { as: 'cells', expr: call('groupArray', call('tuple', ...others.map(alias))) },
      { as: 'group_rows', expr: call('sum', total(counts)) },
      { as: 'groups_total', expr: { kind: 'overAll', call: call('count') } },
    ],
    from: { kind: 'select', select: plan },
    groupBy: groups.map(alias),
    orderBy: [{ expr: alias('group_rows'), descending: true }, ...groups.map((name) => ({ expr: alias(name) }))],
    limit: groupsMax,
  };
  return unfold(largest, groups, others, rowsMax);
}

function unfold(largest: Select, groups: readonly string[], others: readonly string[], rowsMax: number): Select {
  const part = (name: string): { as: string; expr: SqlExpr } => ({
    as: name,
    expr: call('tupleElement', alias('cell'), constant(others.indexOf(name) + 1)),
  });
  const [ts = 'ts', ...values] = others;
  return {
    columns: [
      part(ts),
      ...groups.map((name) => ({ as: name, expr: alias(name) })),
      ...values.map(part),
      { as: 'groups_total', expr: alias('groups_total') },
    ],
    from: { kind: 'select', select: largest },
    unfold: { array: 'cells', as: 'cell' },
    orderBy: ['ts', ...groups].map((name) => ({ expr: alias(name) })),
    limit: rowsMax,
  };
}

/** Rows of a group: those of all series; with several series a row may count more than once, which keeps the order. */
function total(counts: readonly SqlExpr[]): SqlExpr {
  return counts.reduce((left, right) => ({ kind: 'binary', operator: '+', left, right }));
}
