import type { AggregateName, SeriesQuery } from '../chart-query.ts';
import { needsCareColumn } from '../compiled-query.ts';
import { bucketAndGroup } from '../plan/plan-groups.ts';
import { type OutputColumn, type Select, sameColumn } from '../plan/select.ts';
import { alias, binary, call, column, constant, not, or, type SqlExpr } from '../plan/sql-expr.ts';
import { bucketLayoutColumn } from '../schema/metric-columns.ts';
import type { TableSchema } from '../source-schema.ts';
import { distributionColumns } from './distribution-values.ts';
import { extend } from './increments.ts';
import { bucketOfPoint, isInRange, type MetricScan, pointColumns } from './metric-scan.ts';
import { careColumns, careOfPoint } from './stream-care.ts';
import { streamPoints } from './streams.ts';

const bucketLayoutText = 'toString(ExplicitBounds)';

/**
 * A histogram: increments of each attribute set, added up per bucket and group, then quantile, count, sum or avg (C9).
 * The value of a quantile is not yet a number but the buckets that `quantileDecoders` reads.
 */
export function planHistogram(scan: MetricScan): Select {
  const { groups } = pointColumns(scan);
  const names = ['ts', ...groups.map(({ as }) => as)];
  const gains = gainsOf(scan);
  const perLayout: Select = {
    columns: [
      bucketOfPoint(scan),
      ...[...groups.map(({ as }) => as), 'layout'].map(sameColumn),
      ...layoutColumns(gains),
      ...careColumns,
    ],
    from: { kind: 'select', select: increments(scan, gains) },
    groupBy: [...names, 'layout'].map(alias),
  };
  const onlyQuantiles = scan.series.every(({ query }) => query.aggregate === 'quantile');
  return {
    columns: [
      ...names.map(sameColumn),
      ...scan.series.flatMap(({ index, query }) => valueColumns(query, index, onlyQuantiles)),
      ...careColumns,
    ],
    from: { kind: 'select', select: perLayout },
    groupBy: bucketAndGroup(groups),
    // Groups without observations have no quantile; flagged rows are not shown.
    ...(onlyQuantiles ? { having: scan.isCareful ? isObserved : or([isObserved, isDoubtful]) } : {}),
  };
}

/** A number of each point that gains are added up of, beside those of the buckets. */
interface Gain {
  readonly as: string;
  readonly reading: string;
}

/** What the series ask for: each costs. */
function gainsOf({ series }: MetricScan): Gain[] {
  const asksFor = (...aggregates: readonly AggregateName[]): boolean =>
    series.some(({ query }) => aggregates.includes(query.aggregate));
  return [
    ...(asksFor('count', 'avg') ? [{ as: 'added_count', reading: 'Count' }] : []),
    ...(asksFor('sum', 'avg') ? [{ as: 'added_sum', reading: 'Sum' }] : []),
  ];
}

/**
 * One row per point: `counts` (how many were observed, then by bucket), the same of the point before it, and how the
 * point counts. `is_counted`: it is not a mere baseline. `is_difference`: what was there before it is subtracted.
 */
function increments(scan: MetricScan, gains: readonly Gain[]): Select {
  const { groups, set } = pointColumns(scan);
  const layout = layoutOf(scan.table);
  const counts = call('arrayPushFront', column('BucketCounts'), column('Count'));
  const points = streamPoints({
    scan,
    size: 'Count',
    facts: [...groups, set],
    readings: [
      { as: 'layout', expr: layout, none: alias('layout') },
      { as: 'counts', expr: counts, none: call('arrayResize', alias('counts'), constant(0)) },
      ...gains.map(({ reading }) => ({ as: nameOf(reading), expr: column(reading), none: constant(0) })),
    ],
  });
  const before = alias('counts_before');
  return extend({ ...extend(points, [{ as: 'is_reset', expr: isReset }]), where: [isInRange(scan)] }, [
    { as: 'is_counted', expr: or([alias('is_delta'), call('notEmpty', before), alias('counts_in_full')]) },
    { as: 'is_difference', expr: not(or([alias('is_delta'), alias('is_reset')])) },
    ...gains.map(({ as, reading }) => ({ as, expr: gainOf(nameOf(reading)) })),
    ...careOfPoint(),
  ]);
}

function nameOf(reading: string): string {
  return `own_${reading.toLowerCase()}`;
}

const [now, before] = [alias('now'), alias('before')];
const shrinks: SqlExpr = { kind: 'lambda', names: ['now', 'before'], body: binary(now, '<', before) };
const isReset = or([
  binary(alias('layout'), '!=', alias('layout_before')),
  call(
    'arrayExists',
    shrinks,
    alias('counts'),
    call('arrayResize', alias('counts_before'), call('length', alias('counts'))),
  ),
]);
const difference: SqlExpr = { kind: 'lambda', names: ['now', 'before'], body: binary(now, '-', before) };

function layoutOf({ defaults }: TableSchema): SqlExpr {
  return column(defaults?.get(bucketLayoutColumn) === bucketLayoutText ? bucketLayoutColumn : 'ExplicitBounds');
}

/** Of one point, in floating point. */
function gainOf(reading: string): SqlExpr {
  const part = (isPart: string, value: string): SqlExpr =>
    call('if', alias(isPart), call('toFloat64', alias(value)), constant(0));
  return binary(part('is_counted', reading), '-', part('is_difference', `${reading}_before`));
}

/**
 * `buckets`: what the buckets of all points with the same bounds gained. These are whole numbers: a difference of their
 * sums loses nothing.
 */
function layoutColumns(gains: readonly Gain[]): OutputColumn[] {
  const earlier = call('arrayResize', alias('counts_earlier'), call('length', alias('counts_all')));
  return [
    { as: 'counts_all', expr: call('sumForEachIf', alias('counts'), alias('is_counted')) },
    { as: 'counts_earlier', expr: call('sumForEachIf', alias('counts_before'), alias('is_difference')) },
    { as: 'buckets', expr: call('arrayPopFront', call('arrayMap', difference, alias('counts_all'), earlier)) },
    { as: 'points', expr: call('count') },
    ...gains.map(({ as }) => ({ as: `all_${as}`, expr: call('sum', alias(as)) })),
  ];
}

const isObserved = binary(call('sum', call('arraySum', alias('buckets'))), '>', constant(0));
const isDoubtful = binary(alias(needsCareColumn), '>', constant(0));
const points = call('sum', alias('points'));
const layouts = call('groupArray', call('toString', alias('layout')));

function valueColumns(series: SeriesQuery, index: number, onlyQuantiles: boolean): OutputColumn[] {
  const distribution = call('mapFromArrays', layouts, call('groupArray', alias('buckets')));
  return distributionColumns(series, index, {
    noun: 'a histogram',
    quantile: () => call('toNullable', call('toJSONString', distribution)),
    points,
    quantilePoints: onlyQuantiles ? points : call('if', isObserved, points, constant(0)),
    count: call('sum', alias('all_added_count')),
    sum: call('sum', alias('all_added_sum')),
  });
}
