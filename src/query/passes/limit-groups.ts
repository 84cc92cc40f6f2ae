import type { ChartQuery } from '../chart-query.ts';
import type { Ordering, Select } from '../plan/select.ts';
import { alias, call, constant, type SqlExpr } from '../plan/sql-expr.ts';
import type { FoldedGroups } from './fold-buckets.ts';

type Limit = Pick<ChartQuery, 'groupBy' | 'groupsMax' | 'groupsPerBucket'>;

/**
 * Keeps the `groupsMax` groups with the most rows and says in `groups_total` how many there were; the result is sorted
 * by bucket, then group. Groups are kept complete, or selected per bucket (`groupsPerBucket`). `plan` gives `ts`,
 * the groups, then pairs of `n…` and `v…`.
 */
export function topNGroups(plan: Select, { groupBy, groupsMax, groupsPerBucket }: Limit, rowsMax: number): Select {
  const groups = groupBy.map((_, index) => `g${index}`);
  const others = plan.columns.map(({ as }) => as).filter((name) => !groups.includes(name));
  if (groups.length === 0) return allGroups(plan, { groupBy }, rowsMax);
  if (groupsPerBucket) return largestPerBucket(plan, { groups, others, groupsMax, rowsMax });
  const largest: Select = {
    columns: [
      ...groups.map(itself),
      { as: 'cells', expr: call('groupArray', call('tuple', ...others.map(alias))) },
      { as: 'group_rows', expr: call('sum', rowsOf(others)) },
      { as: 'groups_total', expr: { kind: 'overAll', call: call('count') } },
    ],
    from: { kind: 'select', select: plan },
    groupBy: groups.map(alias),
    orderBy: [{ expr: alias('group_rows'), descending: true }, ...groups.map(by)],
    limit: groupsMax,
  };
  return unfold(largest, groups, others, rowsMax);
}

/** `topNGroups` for groups with their buckets in arrays; groups are kept complete. */
export function topNOfFoldedGroups(folded: FoldedGroups, { groupBy, groupsMax }: Limit, rowsMax: number): Select {
  const names = groupBy.map((_, index) => `g${index}`);
  const largest: Select = {
    columns: [
      ...folded.groups.columns.map(({ as }) => itself(as)),
      { as: 'groups_total', expr: { kind: 'overAll', call: call('count') } },
    ],
    from: { kind: 'select', select: folded.groups },
    orderBy: [{ expr: folded.groupRows, descending: true }, ...names.map(by)],
    limit: groupsMax,
  };
  const unfolded = allGroups(folded.unfold(largest), { groupBy }, rowsMax);
  return { ...unfolded, columns: [...unfolded.columns, { as: 'groups_total', expr: alias('groups_total') }] };
}

/** All groups, sorted as those that are kept of too many; the result has no `groups_total`. */
export function allGroups(plan: Select, { groupBy }: Pick<Limit, 'groupBy'>, rowsMax: number): Select {
  const groups = groupBy.map((_, index) => `g${index}`);
  return { ...plan, orderBy: ['ts', ...groups].map(by), limit: rowsMax };
}

interface Names {
  groups: readonly string[];
  others: readonly string[];
  groupsMax: number;
  rowsMax: number;
}

function largestPerBucket(plan: Select, { groups, others, groupsMax, rowsMax }: Names): Select {
  const [ts = 'ts', ...values] = others;
  const names = [ts, ...groups, ...values];
  const bucket = [alias(ts)];
  const largest: Select = {
    columns: [
      ...names.map(itself),
      { as: 'bucket_groups', expr: { kind: 'overAll', call: call('count'), partitionBy: bucket } },
    ],
    from: { kind: 'select', select: plan },
    orderBy: [by(ts), { expr: rowsOf(others), descending: true }, ...groups.map(by)],
    limitPer: { rows: groupsMax, by: bucket },
  };
  return {
    columns: [
      ...names.map(itself),
      { as: 'groups_total', expr: { kind: 'overAll', call: call('max', alias('bucket_groups')) } },
    ],
    from: { kind: 'select', select: largest },
    orderBy: [ts, ...groups].map(by),
    limit: rowsMax,
  };
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
      ...groups.map(itself),
      ...values.map(part),
      { as: 'groups_total', expr: alias('groups_total') },
    ],
    from: { kind: 'select', select: largest },
    unfold: { array: 'cells', as: 'cell' },
    orderBy: ['ts', ...groups].map(by),
    limit: rowsMax,
  };
}

function itself(name: string): { as: string; expr: SqlExpr } {
  return { as: name, expr: alias(name) };
}

function by(name: string): Ordering {
  return { expr: alias(name) };
}

/** Rows of a group: those of all series; with several series a row may count more than once, which keeps the order. */
function rowsOf(others: readonly string[]): SqlExpr {
  const counts: SqlExpr[] = others.filter((name) => /^n\d+$/.test(name)).map(alias);
  return counts.reduce((left, right) => ({ kind: 'binary', operator: '+', left, right }));
}
