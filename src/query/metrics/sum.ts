import type { SeriesQuery } from '../chart-query.ts';
import { compileTree } from '../compile-text.ts';
import { needsCareColumn, tookTurnsColumn } from '../compiled-query.ts';
import { scaleOfSum, valueColumn } from '../metric-value.ts';
import { bucketAndGroup } from '../plan/plan-groups.ts';
import { type From, type OutputColumn, type Select, sameColumn } from '../plan/select.ts';
import { alias, and, binary, call, column, constant, not, or, type SqlExpr, sqlNull } from '../plan/sql-expr.ts';
import { bucketSeconds, unixMs } from '../plan/time-buckets.ts';
import { aggregateAcrossSets, aggregateOfValues, newestColumns, type SeriesValue } from './across-attribute-sets.ts';
import { planLevels } from './gauge.ts';
import { bucketOfPoint, compileMetricField, isDelta, isInRange, type MetricScan, pointColumns } from './metric-scan.ts';
import { careColumns, careOfPoint, careOfSet, type PointKind } from './stream-care.ts';
import { asksForRate, streamPoints } from './streams.ts';

/**
 * A sum (C9). `increase` and `rate`, and every aggregate of a counter, are about what it gained: increments of each
 * stream, added up per bucket and attribute set. A cumulative sum that may also go down (an up-down counter) has a level,
 * which the other aggregates read like a gauge. Delta points are taken as they are. What is calculated of a value is
 * calculated of what it gained, or of the level.
 */
export function planSum(scan: MetricScan): Select {
  const { groups } = pointColumns(scan);
  const gains = isOfTotals(scan) ? gainsOfPoints(scan, groups) : gainsOfSets(scan, groups);
  const rows: From = hasLevels(scan)
    ? { kind: 'union', selects: [gains, levelRows(scan, groups, gains)] }
    : { kind: 'select', select: gains };
  const plan = aggregateAcrossSets(scan, groups, rows, (series, index) => toValue(series, index, scan));
  return { ...plan, columns: [...plan.columns, ...careColumns] };
}

/** Where gains are only added up it makes no difference which attribute set they are of. */
function isOfTotals({ series }: MetricScan): boolean {
  return series.every(({ query: { aggregate } }) => aggregate === 'sum' || aggregate === 'increase');
}

function isAboutGains({ aggregate }: SeriesQuery): boolean {
  return aggregate === 'increase' || aggregate === 'rate';
}

/** Whether a series asks for the level of what has one. */
function asksForLevels({ table, series }: MetricScan): boolean {
  return table.columns.has('IsMonotonic') && !series.every(({ query }) => isAboutGains(query));
}

/** Most sums have none: finding some makes the plan that takes them all for counters doubtful. */
function hasLevels(scan: MetricScan): boolean {
  return scan.isCareful && asksForLevels(scan);
}

function toValue(series: SeriesQuery, index: number, scan: MetricScan): SeriesValue {
  const points = call('sum', alias('gain_points'));
  if (series.aggregate === 'increase') return { points, value: call('sum', alias('gain')) };
  if (series.aggregate === 'rate') return { points, value: call('sum', rateOfSet(scan)) };
  if (series.aggregate === 'sum' && !hasLevels(scan)) return { points, value: call('sum', alias('value')) };
  if (!hasLevels(scan)) return { points, value: aggregateOfValues(series, index) };
  return {
    points: call('sum', alias('value_points')),
    value: aggregateOfValues(series, index, isOfTotals(scan) ? undefined : call('isNotNull', alias('value'))),
  };
}

/** The gain by the part of the bucket inside the range, or by the time that it was observed over where that is longer. */
function rateOfSet({ query }: MetricScan): SqlExpr {
  const observed = binary(binary(alias('latest'), '-', alias('earliest')), '/', constant(1000));
  return binary(alias('gain'), '/', call('greatest', bucketSeconds(query), observed));
}

/** One row per point inside the range. */
function gainsOfPoints(scan: MetricScan, groups: readonly OutputColumn[]): Select {
  const gain = gainOf(scan);
  const isGain = not(alias('is_level'));
  return {
    columns: [
      bucketOfPoint(scan),
      ...groups.map(({ as }) => sameColumn(as)),
      { as: 'gain', expr: gain },
      { as: 'gain_points', expr: constant(1) },
      { as: 'value', expr: hasLevels(scan) ? call('if', isGain, gain, constant(0)) : gain },
      ...(hasLevels(scan) ? [{ as: 'value_points', expr: isGain }] : []),
      ...careOfPoint(pointKind(scan)),
    ],
    from: { kind: 'select', select: pointsWithPrevious(scan) },
    where: [isInRange(scan)],
  };
}

/** One row per bucket, group and attribute set. */
function gainsOfSets(scan: MetricScan, groups: readonly OutputColumn[]): Select {
  const isGain = not(alias('is_level'));
  const hasGained = binary(call('countIf', isGain), '>', constant(0));
  const gain = gainOf(scan);
  const total = call('sum', gain);
  return {
    columns: [
      bucketOfPoint(scan),
      ...groups.map(({ as }) => sameColumn(as)),
      { as: 'gain', expr: total },
      { as: 'gain_points', expr: call('count') },
      { as: 'value', expr: hasLevels(scan) ? call('if', hasGained, call('sumIf', gain, isGain), sqlNull) : total },
      ...(hasLevels(scan) ? [{ as: 'value_points', expr: call('countIf', isGain) }] : []),
      ...(asksForRate(scan)
        ? [
            { as: 'earliest', expr: call('min', alias('since')) },
            { as: 'latest', expr: call('max', alias('at')) },
          ]
        : []),
      ...newestColumns(scan, hasLevels(scan) ? call('maxIf', alias('at'), isGain) : call('max', alias('at'))),
      ...careOfSet(pointKind(scan)),
    ],
    from: { kind: 'select', select: pointsWithPrevious(scan) },
    where: [isInRange(scan)],
    groupBy: [...bucketAndGroup(groups), alias('attribute_set')],
  };
}

function pointKind(scan: MetricScan): PointKind {
  return { isCounter: alias('is_monotonic'), ...(asksForLevels(scan) && { isDoubtful: alias('is_level') }) };
}

/** Rows like those of gains, for what has a level. */
function levelRows(scan: MetricScan, groups: readonly OutputColumn[], gains: Select): Select {
  const time = unixMs(scan.table, scan.source.timestampColumn);
  const own: Record<string, SqlExpr> = { value_points: alias('points') };
  for (const name of ['gain', 'gain_points', 'earliest', 'latest', needsCareColumn, tookTurnsColumn])
    own[name] = constant(0);
  return {
    columns: gains.columns.map(({ as }) => ({ as, expr: own[as] ?? alias(as) })),
    from: { kind: 'select', select: planLevels(scan, { groups, time, where: [isLevel(scan)] }) },
  };
}

/** Whether a point holds a level: what it gained is only for those who ask for gains. */
function isLevel(scan: MetricScan): SqlExpr {
  return and([not(column('IsMonotonic')), not(isDelta(scan))]);
}

/**
 * One row per point, with the reading before it. As if one had come before the first: 0 if it counts in full, else its
 * own.
 */
function pointsWithPrevious(scan: MetricScan): Select {
  const { groups, set } = pointColumns(scan);
  const reading = column(valueColumn);
  const scale = scaleOf(scan);
  return streamPoints({
    scan,
    size: valueColumn,
    where: [call('isFinite', reading), ...(scale ? [call('isNotNull', scale)] : [])],
    facts: [
      ...groups,
      set,
      ...(scale ? [{ as: 'scale', expr: call('assumeNotNull', scale) }] : []),
      { as: 'is_monotonic', expr: scan.table.columns.has('IsMonotonic') ? column('IsMonotonic') : constant(1) },
      ...(asksForLevels(scan) ? [{ as: 'is_level', expr: isLevel(scan) }] : []),
    ],
    readings: [
      { as: 'reading', expr: reading, none: call('if', alias('counts_in_full'), constant(0), alias('reading')) },
    ],
  });
}

/**
 * Delta points count as they are. Of cumulative ones the difference to the point before counts, after a reset the new
 * value. A counter that may also go down (not monotonic) has no resets.
 */
const isReset = and([binary(alias('reading'), '<', alias('reading_before')), alias('is_monotonic')]);
const isWhole = or([alias('is_delta'), isReset]);
const gained = binary(alias('reading'), '-', call('if', isWhole, constant(0), alias('reading_before')));

/** What a point adds, in what the series calculate of it. */
function gainOf({ series }: MetricScan): SqlExpr {
  return series[0]?.query.field === undefined ? gained : binary(gained, '*', alias('scale'));
}

function scaleOf(scan: MetricScan): SqlExpr | undefined {
  return compileMetricField(scan, (text, scope) => compileTree(scaleOfSum(text), scope));
}
