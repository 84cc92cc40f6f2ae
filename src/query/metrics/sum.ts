import { bucketAndGroup } from '../plan/plan-groups.ts';
import type { OutputColumn, Select } from '../plan/select.ts';
import { alias, and, binary, call, column, constant, or } from '../plan/sql-expr.ts';
import { aggregateAcrossSets, newestColumns, totalOf } from './across-attribute-sets.ts';
import { sameColumn } from './increments.ts';
import {
  bucketOfPoint,
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
  const { groups } = pointColumns(scan);
  return totalsOf(scan, groups) ?? aggregateAcrossSets(scan, groups, perSet(scan, groups));
}

/** Where every series adds up all gains it makes no difference which attribute set they are of. */
function totalsOf(scan: MetricScan, groups: readonly OutputColumn[]): Select | undefined {
  const values = scan.series.map(({ index, query }) => ({ index, total: totalOf(gain, query, scan.query) }));
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
    columns: [bucketOfPoint(scan), ...groups.map(({ as }) => sameColumn(as)), ...columns],
    from: { kind: 'select', select: pointsWithPrevious(scan) },
    where: [isInRange(scan)],
    groupBy: bucketAndGroup(groups),
  };
}

function perSet(scan: MetricScan, groups: readonly OutputColumn[]): Select {
  return {
    columns: [
      bucketOfPoint(scan),
      ...groups.map(({ as }) => sameColumn(as)),
      sameColumn('attribute_set'),
      { as: 'value', expr: call('sum', gain) },
      { as: 'points', expr: call('count') },
      ...newestColumns(scan, alias('at')),
    ],
    from: { kind: 'select', select: pointsWithPrevious(scan) },
    where: [isInRange(scan)],
    groupBy: [...bucketAndGroup(groups), alias('attribute_set')],
  };
}

/**
 * One row per point, with the reading before it. As if one had come before the first: 0 if the series began inside the
 * range, so that the point counts in full, else the point's own.
 */
function pointsWithPrevious(scan: MetricScan): Select {
  const { from, where } = readPoints(scan, lookBackMs(scan.query));
  const reading = column('Value');
  const beforeFirst = call('if', startsInside(scan), constant(0), reading);
  return {
    columns: [
      pointTime(scan),
      ...pointColumns(scan).labels,
      { as: 'is_delta', expr: isDelta(scan) },
      { as: 'is_monotonic', expr: scan.table.columns.has('IsMonotonic') ? column('IsMonotonic') : constant(1) },
      { as: 'reading', expr: reading },
      {
        as: 'reading_before',
        expr: overPrevious(call('lagInFrame', reading, constant(1), beforeFirst), scan, 'Value'),
      },
    ],
    from,
    where: [...where, call('isFinite', reading)],
  };
}

/**
 * Delta points count as they are. Of cumulative ones the difference to the point before counts, after a reset the new
 * value. A counter that may also go down (not monotonic) has no resets.
 */
const isReset = and([binary(alias('reading'), '<', alias('reading_before')), alias('is_monotonic')]);
const isWhole = or([alias('is_delta'), isReset]);
const gain = binary(alias('reading'), '-', call('if', isWhole, constant(0), alias('reading_before')));
