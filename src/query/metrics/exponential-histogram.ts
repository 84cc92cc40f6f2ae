import type { SeriesQuery } from '../chart-query.ts';
import { needsCareColumn } from '../compiled-query.ts';
import { bucketAndGroup } from '../plan/plan-groups.ts';
import { type OutputColumn, type Select, sameColumn } from '../plan/select.ts';
import { alias, binary, call, column, constant, not, or, type SqlExpr } from '../plan/sql-expr.ts';
import { distributionColumns } from './distribution-values.ts';
import { bucketCounts, bucketGains, bucketIndexes, bucketShrinks, type Side } from './exponential-buckets.ts';
import { countingColumns, extend, increment, seen } from './increments.ts';
import { isInRange, type MetricScan, pointColumns } from './metric-scan.ts';
import { careColumns, careOfPoint } from './stream-care.ts';
import { streamPoints } from './streams.ts';

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
 * An exponential histogram (C9): increments of each attribute set, added up per bucket, group and scale, then quantile,
 * count, sum or avg. What shrinks has been reset, as with other cumulative metrics. The value of a quantile is not yet a
 * number but the buckets that `quantileDecoders` reads.
 */
export function planExponentialHistogram(scan: MetricScan): Select {
  const { groups } = pointColumns(scan);
  const names = ['ts', ...groups.map(({ as }) => as)];
  const perScale: Select = {
    columns: [...[...names, 'step_scale'].map(sameColumn), ...scaleColumns()],
    from: { kind: 'select', select: increments(scan) },
    groupBy: [...names, 'step_scale'].map(alias),
  };
  const onlyQuantiles = scan.series.every(({ query }) => query.aggregate === 'quantile');
  return {
    columns: [
      ...names.map(sameColumn),
      ...scan.series.flatMap(({ index, query }) => valueColumns(query, index, onlyQuantiles)),
      ...careColumns,
    ],
    from: { kind: 'select', select: perScale },
    groupBy: bucketAndGroup(groups),
    // Groups without observations have no quantile; flagged rows are not shown.
    ...(onlyQuantiles ? { having: scan.isCareful ? isObserved : or([isObserved, isDoubtful]) } : {}),
  };
}

function pointsWithPrevious(scan: MetricScan): Select {
  const { bucket, groups, set } = pointColumns(scan);
  const compared = Object.entries(readings).map(([as, name]) => ({
    as,
    expr: column(name),
    none: name.endsWith('BucketCounts') ? call('arrayResize', alias(as), constant(0)) : constant(0),
  }));
  return streamPoints({ scan, size: 'Count', facts: [bucket, ...groups, set], readings: [seen, ...compared] });
}

/** One row per point inside the range, with what it adds to the buckets of both sides. */
function increments(scan: MetricScan): Select {
  const isReset = or([
    binary(alias('observed'), '<', alias('observed_before')),
    binary(alias('zeros'), '<', alias('zeros_before')),
    bucketShrinks('positive'),
    bucketShrinks('negative'),
  ]);
  const inside: Select = {
    ...extend(pointsWithPrevious(scan), [
      { as: 'shared_scale', expr: call('least', alias('scale'), alias('scale_before')) },
    ]),
    where: [isInRange(scan)],
  };
  const steps = [
    sides.map((side) => ({ as: `${side}_gains`, expr: bucketGains(side) })),
    [...countingColumns(isReset), ...careOfPoint()],
    [{ as: 'is_difference', expr: not(or([alias('is_whole'), alias('is_baseline')])) }],
    [
      { as: 'step_scale', expr: call('if', alias('is_difference'), alias('shared_scale'), alias('scale')) },
      ...sides.flatMap(sideIncrement),
      { as: 'added_zeros', expr: increment(alias('zeros'), alias('zeros_before')) },
      { as: 'added_count', expr: increment(alias('observed'), alias('observed_before')) },
      { as: 'added_sum', expr: increment(alias('amount'), alias('amount_before')) },
    ],
  ];
  return steps.reduce(extend, inside);
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

/** `(indexes, counts)` of both sides, and what else was added at this scale. */
function scaleColumns(): OutputColumn[] {
  const side = (name: Side): OutputColumn => ({
    as: name,
    expr: call('sumMap', alias(`${name}_indexes`), alias(`${name}_added`)),
  });
  return [
    ...sides.map(side),
    { as: 'zero_count', expr: call('sum', alias('added_zeros')) },
    { as: 'points', expr: call('count') },
    { as: 'all_added_count', expr: call('sum', alias('added_count')) },
    { as: 'all_added_sum', expr: call('sum', alias('added_sum')) },
    ...careColumns,
  ];
}

const points = call('sum', alias('points'));
const [inPositive, inNegative] = [sideTotal('positive'), sideTotal('negative')];
const observed = call('sum', binary(binary(inPositive, '+', inNegative), '+', alias('zero_count')));
const isObserved = binary(observed, '>', constant(0));

const isDoubtful = binary(alias(needsCareColumn), '>', constant(0));

function sideTotal(side: Side): SqlExpr {
  return call('arraySum', call('tupleElement', alias(side), constant(2)));
}

function valueColumns(series: SeriesQuery, index: number, onlyQuantiles: boolean): OutputColumn[] {
  const ofScale = call('tuple', ...['step_scale', 'zero_count', ...sides].map(alias));
  return distributionColumns(series, index, {
    noun: 'an exponential histogram',
    quantile: () => call('toNullable', call('toJSONString', call('groupArray', ofScale))),
    points,
    quantilePoints: onlyQuantiles ? points : call('if', isObserved, points, constant(0)),
    count: call('sum', alias('all_added_count')),
    sum: call('sum', alias('all_added_sum')),
  });
}
