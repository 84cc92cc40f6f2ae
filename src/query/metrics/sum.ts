import { bucketAndGroup } from '../plan/plan-groups.ts';
import type { OutputColumn, Select } from '../plan/select.ts';
import { alias, and, binary, call, column, constant, or } from '../plan/sql-expr.ts';
import { aggregateAcrossSets, newestColumns, totalOf } from './across-attribute-sets.ts';
import {
  isDelta,
  isInRange,
  lookBackMs,
  type MetricScan,
  overPrevious,
  pointColumns,
  pointTime,
  readPoints,
  startsInside,
} from './metric-scan.ts';

/** A counter: increments of each attribute set, added up per bucket, then the aggregate over attribute sets (C9). */
export function planSum(scan: MetricScan): Select {
  const { key, groups } = pointColumns(scan);
  const { from, where } = readPoints(scan, lookBackMs(scan.query));
  const gains: Select = {
    columns: [...key, pointTime(scan), ...gainColumns(scan)],
    from,
    where: [...where, call('isFinite', column('Value'))],
  };
  return totalsOf(scan, groups, gains) ?? aggregateAcrossSets(scan, groups, perSet(scan, groups, gains));
}

/** Where every series adds up all gains it makes no difference which attribute set they are of. */
function totalsOf(scan: MetricScan, groups: readonly OutputColumn[], gains: Select): Select | undefined {
  const values = scan.series.map(({ index, query }) => ({ index, total: totalOf(alias('gain'), query, scan.query) }));
  const columns = values.flatMap(({ index, total }): OutputColumn[] =>
    total
      ? [
          { as: `n${index}`, expr: call('count') },
          { as: `v${index}`, expr: call('toNullable', total) },
        ]
      : [],
  );
  if (columns.length < 2 * values.length) return undefined;
  return {
    columns: [...['ts', ...groups.map(({ as }) => as)].map((as) => ({ as, expr: alias(as) })), ...columns],
    from: { kind: 'select', select: gains },
    where: [isInRange(scan)],
    groupBy: bucketAndGroup(groups),
  };
}

function perSet(scan: MetricScan, groups: readonly OutputColumn[], gains: Select): Select {
  const key = ['ts', ...groups.map(({ as }) => as), 'attribute_set'];
  return {
    columns: [
      ...key.map((as) => ({ as, expr: alias(as) })),
      { as: 'value', expr: call('sum', alias('gain')) },
      { as: 'points', expr: call('count') },
      ...newestColumns(scan, alias('at')),
    ],
    from: { kind: 'select', select: gains },
    where: [isInRange(scan)],
    groupBy: key.map(alias),
  };
}

/**
 * Delta points count as they are. Of cumulative ones the difference to the point before counts, after a reset the new
 * value; the first point counts in full only if its series began inside the range: then it is as if 0 had come before
 * it, else itself. A counter that may also go down (not monotonic) has no resets.
 */
function gainColumns(scan: MetricScan): OutputColumn[] {
  const reading = column('Value');
  const none = constant(0);
  const beforeFirst = call('if', startsInside(scan), none, reading);
  const isMonotonic = scan.table.columns.has('IsMonotonic') ? column('IsMonotonic') : constant(1);
  const isReset = and([binary(reading, '<', alias('before')), isMonotonic]);
  return [
    { as: 'before', expr: overPrevious(call('lagInFrame', reading, constant(1), beforeFirst), scan, 'Value') },
    { as: 'gain', expr: binary(reading, '-', call('if', or([isDelta(scan), isReset]), none, alias('before'))) },
  ];
}
