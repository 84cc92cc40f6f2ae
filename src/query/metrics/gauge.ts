import { bucketAndGroup } from '../plan/plan-groups.ts';
import type { Select } from '../plan/select.ts';
import { alias, call, column } from '../plan/sql-expr.ts';
import { aggregateAcrossSets } from './across-attribute-sets.ts';
import { type MetricScan, pointColumns, readPoints } from './metric-scan.ts';

/** A gauge: the last value of each attribute set in each bucket, then the aggregate over attribute sets (C9). */
export function planGauge(scan: MetricScan): Select {
  const { key, groups } = pointColumns(scan);
  const { from, where } = readPoints(scan, 0);
  const time = column(scan.source.timestampColumn);
  const value = column('Value');
  return aggregateAcrossSets(scan, groups, {
    columns: [
      ...key,
      { as: 'value', expr: call('argMax', value, call('tuple', time, value)) },
      { as: 'points', expr: call('count') },
      { as: 'newest', expr: call('max', time) },
    ],
    from,
    where: [...where, call('isFinite', value)],
    groupBy: [...bucketAndGroup(groups), alias('attribute_set')],
  });
}
