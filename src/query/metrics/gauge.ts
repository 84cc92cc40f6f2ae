import { compileField } from '../compile-text.ts';
import { valueColumn } from '../metric-value.ts';
import { bucketAndGroup } from '../plan/plan-groups.ts';
import type { OutputColumn, Select } from '../plan/select.ts';
import { alias, and, binary, call, column, constant, type SqlExpr } from '../plan/sql-expr.ts';
import { unixTime } from '../plan/time-buckets.ts';
import { aggregateAcrossSets, aggregateOfValues, newestColumns } from './across-attribute-sets.ts';
import { compileMetricField, isOfSet, type MetricScan, pointColumns, readPoints } from './metric-scan.ts';

/** A gauge: the aggregate over its levels (C9), or over the changes of them. */
export function planGauge(scan: MetricScan): Select {
  const { groups } = pointColumns(scan);
  const levels = { groups, time: column(scan.source.timestampColumn), where: [] };
  // All series of a scan ask for the same of the two.
  const isOverChanges = scan.series.some(({ query }) => query.overChanges);
  const rows = isOverChanges ? changeOfEachSet(scan, levels) : planLevels(scan, levels);
  return aggregateAcrossSets(scan, groups, { kind: 'select', select: rows }, (series, index) => ({
    points: call('sum', alias('points')),
    value: aggregateOfValues(series, index),
  }));
}

interface Levels {
  readonly groups: readonly OutputColumn[];
  /** For `newest`. */
  readonly time: SqlExpr;
  /** Which of the metric's points. */
  readonly where: readonly SqlExpr[];
}

/**
 * `ts`, the groups, `value`, `points` and `newestColumns`. On a time axis the last value of each attribute set in each
 * bucket: its state when the bucket ended. Without a time axis every point: a bucket then covers everything measured
 * within it.
 */
export function planLevels(scan: MetricScan, levels: Levels): Select {
  return scan.query.hasTimeAxis === false ? eachPoint(scan, levels) : lastOfEachSet(scan, levels);
}

function eachPoint(scan: MetricScan, { groups, time, where }: Levels): Select {
  const { from, where: read } = readPoints(scan, 0);
  const { value, isKnown } = valueOfPoint(scan);
  return {
    columns: [
      pointColumns(scan).bucket,
      ...groups,
      { as: 'value', expr: value },
      { as: 'points', expr: constant(1) },
      ...newestColumns(scan, time),
    ],
    from,
    where: [...read, ...where, isKnown],
  };
}

/** What a series calculates with at each point, and whether that is a number: of a point without a value it is none. */
function valueOfPoint(scan: MetricScan): { value: SqlExpr; isKnown: SqlExpr } {
  const hasValue = call('isFinite', column(valueColumn));
  const calculated = compileMetricField(scan, (text, scope) => compileField(text, scope));
  if (!calculated) return { value: column(valueColumn), isKnown: hasValue };
  // Numbers of a text, and what is no finite number, are NULL where there are none.
  const isKnown = and([hasValue, call('isNotNull', calculated)]);
  return { value: call('toFloat64', call('assumeNotNull', calculated)), isKnown };
}

function lastOfEachSet(scan: MetricScan, levels: Levels): Select {
  return perSet(scan, levels, (value, order) => call('argMax', value, order));
}

/** From the first point of each attribute set in each bucket to its last: 0 of a set with one point. */
function changeOfEachSet(scan: MetricScan, levels: Levels): Select {
  return perSet(scan, levels, (value, order) =>
    binary(call('argMax', value, order), '-', call('argMin', value, order)),
  );
}

/** One row per bucket, group and attribute set. */
function perSet(
  scan: MetricScan,
  { groups, time, where }: Levels,
  measure: (value: SqlExpr, order: SqlExpr) => SqlExpr,
): Select {
  const { from, where: read } = readPoints(scan, 0);
  const { bucket, set } = pointColumns(scan);
  const { value, isKnown } = valueOfPoint(scan);
  // What all points of a set have in common need not be grouped by: a key of two numbers is found much faster.
  const common = groups.filter(({ expr }) => isOfSet(expr, scan));
  const grouped = groups.filter((group) => !common.includes(group));
  const oncePerSet = (each: OutputColumn): OutputColumn =>
    common.includes(each) ? { as: each.as, expr: call('any', each.expr) } : each;
  return {
    columns: [
      bucket,
      ...groups.map(oncePerSet),
      set,
      { as: 'value', expr: measure(value, instantAndSize(scan, value)) },
      { as: 'points', expr: call('count') },
      ...newestColumns(scan, call('max', time)),
    ],
    from,
    where: [...read, ...where, isKnown],
    groupBy: [...bucketAndGroup(grouped), alias('attribute_set')],
  };
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
