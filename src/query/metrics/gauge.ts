import { bucketAndGroup } from '../plan/plan-groups.ts';
import type { OutputColumn, Select } from '../plan/select.ts';
import { alias, binary, call, column, constant, type SqlExpr } from '../plan/sql-expr.ts';
import { unixTime } from '../plan/time-buckets.ts';
import { aggregateAcrossSets, newestColumns } from './across-attribute-sets.ts';
import { isOfSet, type MetricScan, pointColumns, readPoints } from './metric-scan.ts';

/** A gauge: the last value of each attribute set in each bucket, then the aggregate over attribute sets (C9). */
export function planGauge(scan: MetricScan): Select {
  const { key, groups } = pointColumns(scan);
  const { from, where } = readPoints(scan, 0);
  const value = column('Value');
  // What all points of a set have in common need not be grouped by: a key of two numbers is found much faster.
  const common = groups.filter(({ expr }) => isOfSet(expr, scan));
  const grouped = groups.filter((group) => !common.includes(group));
  const oncePerSet = (each: OutputColumn): OutputColumn =>
    common.includes(each) ? { as: each.as, expr: call('any', each.expr) } : each;
  return aggregateAcrossSets(scan, groups, {
    columns: [
      ...key.map(oncePerSet),
      { as: 'value', expr: call('argMax', value, instantAndSize(scan, value)) },
      { as: 'points', expr: call('count') },
      ...newestColumns(scan, column(scan.source.timestampColumn)),
    ],
    from,
    where: [...where, call('isFinite', value)],
    groupBy: [...bucketAndGroup(grouped), alias('attribute_set')],
  });
}

/**
 * A number that orders points by their time, those of one instant by their value: the engine compares tuples many times
 * slower. The bits of a float grow with its distance from 0.
 */
function instantAndSize({ source, table }: MetricScan, value: SqlExpr): SqlExpr {
  const instant = call('toInt128', unixTime(table, source.timestampColumn));
  const size = binary(call('reinterpretAsInt64', call('abs', value)), '*', call('sign', value));
  return binary(call('bitShiftLeft', instant, constant(64)), '+', size);
}
