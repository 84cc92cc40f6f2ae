import { bucketAndGroup } from '../plan/plan-groups.ts';
import type { Select } from '../plan/select.ts';
import { alias, binary, call, column, constant, integerValue, not, or, type SqlExpr } from '../plan/sql-expr.ts';
import { aggregateAcrossSets } from './across-attribute-sets.ts';
import { lookBackMs, type MetricScan, overPrevious, pointColumns, pointFacts, readPoints } from './metric-scan.ts';

/** A counter: increments of each attribute set, added up per bucket, then the aggregate over attribute sets (C9). */
export function planSum(scan: MetricScan): Select {
  const { key, groups } = pointColumns(scan);
  const { from, where } = readPoints(scan, lookBackMs(scan.query));
  const points: Select = {
    columns: [
      ...key,
      ...pointFacts(scan, 'Value'),
      { as: 'is_monotonic', expr: scan.table.columns.has('IsMonotonic') ? column('IsMonotonic') : constant(1) },
      { as: 'reading', expr: column('Value') },
      { as: 'reading_before', expr: overPrevious(call('lagInFrame', column('Value')), scan, 'Value') },
    ],
    from,
    where: [...where, call('isFinite', column('Value'))],
  };
  const perSet = ['ts', ...groups.map(({ as }) => as), 'attribute_set'];
  return aggregateAcrossSets(scan, groups, {
    columns: [
      ...perSet.map((as) => ({ as, expr: alias(as) })),
      { as: 'value', expr: call('sum', increment()) },
      { as: 'points', expr: call('count') },
      { as: 'newest', expr: call('max', alias('at')) },
    ],
    from: { kind: 'select', select: points },
    where: [binary(alias('at'), '>=', integerValue(scan.query.range.startMs))],
    groupBy: [...bucketAndGroup(groups), alias('attribute_set')],
  });
}

/**
 * Delta points count as they are. Of cumulative ones the difference to the point before counts, after a reset the new
 * value; the first point counts in full only if its series began inside the range. A counter that may also go down
 * (not monotonic) has no resets.
 */
function increment(): SqlExpr {
  const reading = alias('reading');
  const before = alias('reading_before');
  const grows = or([binary(reading, '>=', before), not(alias('is_monotonic'))]);
  const difference = call('if', grows, binary(reading, '-', before), reading);
  const first = call('if', alias('starts_inside'), reading, constant(0));
  return call('if', alias('is_delta'), reading, call('if', alias('is_first'), first, difference));
}
