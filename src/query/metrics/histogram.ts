import type { SeriesQuery } from '../chart-query.ts';
import { bucketAndGroup } from '../plan/plan-groups.ts';
import type { OutputColumn, Select } from '../plan/select.ts';
import { alias, binary, call, column, constant, integerValue, or, type SqlExpr } from '../plan/sql-expr.ts';
import { distributionColumns, pointsIfObserved } from './distribution-values.ts';
import { interpolate, quantilePlace } from './histogram-quantile.ts';
import { countingColumns, extend, increment, sameColumn } from './increments.ts';
import { lookBackMs, type MetricScan, overPrevious, pointColumns, pointFacts, readPoints } from './metric-scan.ts';

/** A histogram: increments of each attribute set, added up per bucket and group, then quantile, count, sum or avg (C9). */
export function planHistogram(scan: MetricScan): Select {
  const { key, groups } = pointColumns(scan);
  const names = ['ts', ...groups.map(({ as }) => as)];
  const increments: Select = {
    columns: [...names.map(sameColumn), ...incrementColumns()],
    from: { kind: 'select', select: pointsWithPrevious(scan, key) },
    where: [binary(alias('at'), '>=', integerValue(scan.query.range.startMs))],
  };
  const totals: Select = {
    columns: [...names.map(sameColumn), ...totalColumns()],
    from: { kind: 'select', select: increments },
    groupBy: bucketAndGroup(groups),
  };
  const quantiles = scan.series.filter(({ query }) => query.aggregate === 'quantile');
  const placed = extend(
    totals,
    quantiles.map(({ index, query }) => ({ as: `place${index}`, expr: quantilePlace(query.level ?? 0.5) })),
  );
  return {
    columns: [...names.map(sameColumn), ...scan.series.flatMap(({ index, query }) => valueColumns(query, index))],
    from: { kind: 'select', select: quantiles.length === 0 ? totals : placed },
    // Groups without observations are no groups of quantiles.
    ...(quantiles.length === scan.series.length ? { where: [binary(alias('total'), '>', constant(0))] } : {}),
  };
}

function valueColumns(series: SeriesQuery, index: number): OutputColumn[] {
  const quantile = (level: number): SqlExpr => interpolate(alias(`place${index}`), level);
  return distributionColumns(series, index, { noun: 'a histogram', quantile, quantileRows: pointsIfObserved });
}

function pointsWithPrevious(scan: MetricScan, key: readonly OutputColumn[]): Select {
  const { from, where } = readPoints(scan, lookBackMs(scan.query));
  const previous = (name: string): SqlExpr => overPrevious(call('lagInFrame', column(name)), scan, 'Count');
  return {
    columns: [
      ...key,
      ...pointFacts(scan, 'Count'),
      { as: 'counts', expr: column('BucketCounts') },
      {
        as: 'counts_before',
        expr: call('arrayResize', previous('BucketCounts'), call('length', column('BucketCounts'))),
      },
      { as: 'bounds', expr: column('ExplicitBounds') },
      { as: 'bounds_before', expr: previous('ExplicitBounds') },
      { as: 'observed', expr: column('Count') },
      { as: 'observed_before', expr: previous('Count') },
      { as: 'amount', expr: column('Sum') },
      { as: 'amount_before', expr: previous('Sum') },
    ],
    from,
    where,
  };
}

function incrementColumns(): OutputColumn[] {
  const now = alias('now');
  const before = alias('before');
  const shrinks: SqlExpr = { kind: 'lambda', names: ['now', 'before'], body: binary(now, '<', before) };
  const isReset = or([
    binary(alias('bounds'), '!=', alias('bounds_before')),
    binary(alias('observed'), '<', alias('observed_before')),
    call('arrayExists', shrinks, alias('counts'), alias('counts_before')),
  ]);
  const each: SqlExpr = { kind: 'lambda', names: ['now', 'before'], body: increment(now, before) };
  return [
    ...countingColumns(isReset),
    { as: 'added', expr: call('arrayMap', each, alias('counts'), alias('counts_before')) },
    { as: 'added_count', expr: increment(alias('observed'), alias('observed_before')) },
    { as: 'added_sum', expr: increment(alias('amount'), alias('amount_before')) },
    {
      as: 'edges',
      expr: call(
        'arrayResize',
        call('arrayConcat', alias('bounds'), call('array', constant(Infinity))),
        call('length', alias('counts')),
      ),
    },
  ];
}

/** Counts by upper edge, so that histograms of different layouts add up; for one layout the sum is exact. */
function totalColumns(): OutputColumn[] {
  const sums = alias('sums');
  const countAt: SqlExpr = {
    kind: 'lambda',
    names: ['edge'],
    // `sumMap` leaves out edges whose count is 0; an index of 0 reads as 0.
    body: call(
      'arrayElement',
      call('tupleElement', sums, constant(2)),
      call('indexOf', call('tupleElement', sums, constant(1)), alias('edge')),
    ),
  };
  return [
    { as: 'points', expr: call('count') },
    { as: 'sums', expr: call('sumMap', alias('edges'), alias('added')) },
    { as: 'all_edges', expr: call('arraySort', call('groupUniqArrayArray', alias('edges'))) },
    { as: 'cumulative', expr: call('arrayCumSum', call('arrayMap', countAt, alias('all_edges'))) },
    { as: 'total', expr: call('arrayElement', alias('cumulative'), call('length', alias('cumulative'))) },
    { as: 'total_count', expr: call('sum', alias('added_count')) },
    { as: 'total_sum', expr: call('sum', alias('added_sum')) },
  ];
}
