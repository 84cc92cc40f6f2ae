import type { SeriesQuery } from '../chart-query.ts';
import { bucketAndGroup } from '../plan/plan-groups.ts';
import type { OutputColumn, Select } from '../plan/select.ts';
import { alias, binary, call, column, constant, not, or, type SqlExpr } from '../plan/sql-expr.ts';
import { countedInColumns, distributionColumns, pointsIfObserved } from './distribution-values.ts';
import {
  bucketCounts,
  bucketGains,
  bucketIndexes,
  bucketShrinks,
  downscaled,
  quantileAt,
  quantilePlace,
  type Side,
} from './exponential-buckets.ts';
import { countingColumns, extend, increment, sameColumn } from './increments.ts';
import {
  isInRange,
  lookBackMs,
  type MetricScan,
  overPrevious,
  pointColumns,
  pointFacts,
  readPoints,
} from './metric-scan.ts';

const sides: readonly Side[] = ['positive', 'negative'];

/** Names of what is read of each point; `…_before` is the same of the point before it. */
const readings = {
  scale: 'Scale',
  zeros: 'ZeroCount',
  observed: 'Count',
  amount: 'Sum',
  positive_from: 'PositiveOffset',
  positive_counts: 'PositiveBucketCounts',
  negative_from: 'NegativeOffset',
  negative_counts: 'NegativeBucketCounts',
} as const;

/**
 * An exponential histogram (C9): increments of each attribute set, added up per bucket and group at the smallest scale
 * among them, then quantile, count, sum or avg. What shrinks has been reset, as with other cumulative metrics.
 */
export function planExponentialHistogram(scan: MetricScan): Select {
  const { key, groups } = pointColumns(scan);
  const names = ['ts', ...groups.map(({ as }) => as)];
  const totals: Select = {
    columns: [...names.map(sameColumn), ...totalColumns()],
    from: { kind: 'select', select: increments(scan, key, names.map(alias)) },
    groupBy: bucketAndGroup(groups),
  };
  const quantiles = scan.series.filter(({ query }) => query.aggregate === 'quantile');
  const placed = extend(
    [orderedBuckets(), [bucketTotal]].reduce(extend, totals),
    quantiles.map(({ index, query }) => ({ as: `place${index}`, expr: quantilePlace(query.level ?? 0.5) })),
  );
  return {
    columns: [...names.map(sameColumn), ...scan.series.flatMap(({ index, query }) => valueColumns(query, index))],
    from: { kind: 'select', select: placed },
    // Groups without observations are no groups of quantiles.
    ...(quantiles.length === scan.series.length ? { where: [binary(alias('total'), '>', constant(0))] } : {}),
  };
}

function valueColumns(series: SeriesQuery, index: number): OutputColumn[] {
  const quantile = (level: number): SqlExpr => quantileAt(alias(`place${index}`), level);
  return distributionColumns(series, index, {
    noun: 'an exponential histogram',
    quantile,
    ...countedInColumns,
    quantilePoints: pointsIfObserved,
  });
}

function pointsWithPrevious(scan: MetricScan, key: readonly OutputColumn[]): Select {
  const { from, where } = readPoints(scan, lookBackMs(scan.query));
  const columns = Object.entries(readings).flatMap(([as, name]): OutputColumn[] => [
    { as, expr: column(name) },
    { as: `${as}_before`, expr: overPrevious(call('lagInFrame', column(name)), scan, 'Count') },
  ]);
  return { columns: [...key, ...pointFacts(scan, 'Count'), ...columns], from, where };
}

/** One row per point inside the range, with what it adds to the buckets of both sides. */
function increments(scan: MetricScan, key: readonly OutputColumn[], names: readonly SqlExpr[]): Select {
  const isReset = or([
    binary(alias('observed'), '<', alias('observed_before')),
    binary(alias('zeros'), '<', alias('zeros_before')),
    bucketShrinks('positive'),
    bucketShrinks('negative'),
  ]);
  const inside: Select = {
    ...extend(pointsWithPrevious(scan, key), [
      { as: 'shared_scale', expr: call('least', alias('scale'), alias('scale_before')) },
    ]),
    where: [isInRange(scan)],
  };
  const steps = [
    sides.map((side) => ({ as: `${side}_gains`, expr: bucketGains(side) })),
    countingColumns(isReset),
    [{ as: 'is_difference', expr: not(or([alias('is_whole'), alias('is_baseline')])) }],
    [
      { as: 'step_scale', expr: call('if', alias('is_difference'), alias('shared_scale'), alias('scale')) },
      ...sides.flatMap(sideIncrement),
      { as: 'added_zeros', expr: increment(alias('zeros'), alias('zeros_before')) },
      { as: 'added_count', expr: increment(alias('observed'), alias('observed_before')) },
      { as: 'added_sum', expr: increment(alias('amount'), alias('amount_before')) },
    ],
    [commonScale(names)],
  ];
  return steps.reduce(extend, inside);
}

function commonScale(names: readonly SqlExpr[]): OutputColumn {
  return { as: 'common_scale', expr: { kind: 'overAll', call: call('min', alias('step_scale')), partitionBy: names } };
}

/** Bucket indexes at `step_scale` and what they gain; nothing of a point that only says where counting starts. */
function sideIncrement(side: Side): OutputColumn[] {
  const counted = (items: SqlExpr): SqlExpr =>
    call('arrayResize', items, call('if', alias('is_baseline'), constant(0), call('length', items)));
  const gained = (at: number): SqlExpr => call('tupleElement', alias(`${side}_gains`), constant(at));
  const eachOf = (gains: SqlExpr, whole: SqlExpr): SqlExpr => call('if', alias('is_difference'), gains, counted(whole));
  return [
    { as: `${side}_indexes`, expr: eachOf(gained(1), bucketIndexes(side, '', alias('scale'))) },
    { as: `${side}_added`, expr: eachOf(gained(2), bucketCounts(side, '', 1)) },
  ];
}

/** Per bucket of the chart and group: `(indexes, counts)` of both sides at the common scale. */
function totalColumns(): OutputColumn[] {
  const side = (name: string): SqlExpr => {
    const body = downscaled(alias('index'), binary(alias('step_scale'), '-', alias('common_scale')));
    const indexes = call('arrayMap', { kind: 'lambda', names: ['index'], body }, alias(`${name}_indexes`));
    return call('sumMap', indexes, alias(`${name}_added`));
  };
  return [
    { as: 'points', expr: call('count') },
    { as: 'bucket_scale', expr: call('min', alias('common_scale')) },
    { as: 'positive', expr: side('positive') },
    { as: 'negative', expr: side('negative') },
    { as: 'zero_count', expr: call('sum', alias('added_zeros')) },
    { as: 'total_count', expr: call('sum', alias('added_count')) },
    { as: 'total_sum', expr: call('sum', alias('added_sum')) },
  ];
}

/** Buckets in the order of their values: negative ones from the largest magnitude, zero, positive ones. */
function orderedBuckets(): OutputColumn[] {
  const part = (side: string, at: number): SqlExpr => call('tupleElement', alias(side), constant(at));
  const all = (at: number, zero: SqlExpr): SqlExpr =>
    call('arrayConcat', call('arrayReverse', part('negative', at)), call('array', zero), part('positive', at));
  return [
    { as: 'zero_place', expr: binary(call('length', part('negative', 1)), '+', constant(1)) },
    { as: 'indexes', expr: all(1, constant(0)) },
    { as: 'cumulative', expr: call('arrayCumSum', all(2, alias('zero_count'))) },
  ];
}

const bucketTotal: OutputColumn = {
  as: 'total',
  expr: call('arrayElement', alias('cumulative'), call('length', alias('cumulative'))),
};
