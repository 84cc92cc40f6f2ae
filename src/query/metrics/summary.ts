import type { SeriesQuery } from '../chart-query.ts';
import { bucketAndGroup } from '../plan/plan-groups.ts';
import { type OutputColumn, type Select, sameColumn } from '../plan/select.ts';
import { alias, and, binary, call, column, constant, or, type SqlExpr } from '../plan/sql-expr.ts';
import { distributionColumns } from './distribution-values.ts';
import { countingColumns, extend, increment, seen } from './increments.ts';
import { isInRange, type MetricScan, pointColumns } from './metric-scan.ts';
import { careColumns, careOfPoint } from './stream-care.ts';
import { streamPoints } from './streams.ts';

/** Two levels this close are the same one, written by different programs. */
const levelTolerance = 1e-9;

/**
 * A summary (C9): count, sum and avg from what its counters gained. It knows only the quantiles that its sender worked
 * out, and those can't be joined: a `quantile` is the last value of each attribute set at exactly that level, and of
 * several sets the largest, which the quantile of all of them never exceeds. Without that level there is no value.
 */
export function planSummary(scan: MetricScan): Select {
  const { groups } = pointColumns(scan);
  const names = ['ts', ...groups.map(({ as }) => as)];
  const levels = scan.series.flatMap(({ index, query }) =>
    query.aggregate === 'quantile' ? [{ index, level: query.level ?? 0.5 }] : [],
  );
  const isReset = binary(alias('observed'), '<', alias('observed_before'));
  const counted: Select = {
    ...extend(pointsWithPrevious(scan, levels), countingColumns(isReset)),
    where: [isInRange(scan)],
  };
  const increments = extend(counted, [
    { as: 'added_count', expr: increment(alias('observed'), alias('observed_before')) },
    { as: 'added_sum', expr: increment(alias('amount'), alias('amount_before')) },
    ...careOfPoint(),
  ]);
  const perSet: Select = {
    columns: [...names.map(sameColumn), ...setColumns(levels.map(({ index }) => index)), ...careColumns],
    from: { kind: 'select', select: increments },
    groupBy: [...bucketAndGroup(groups), alias('attribute_set')],
  };
  const totals: Select = {
    columns: [...names.map(sameColumn), ...totalColumns(levels.map(({ index }) => index)), ...careColumns],
    from: { kind: 'select', select: perSet },
    groupBy: bucketAndGroup(groups),
  };
  return {
    columns: [
      ...names.map(sameColumn),
      ...scan.series.flatMap(({ index, query }) => valueColumns(query, index)),
      ...careColumns.map(({ as }) => sameColumn(as)),
    ],
    from: { kind: 'select', select: totals },
    // Groups without recordings have no quantile.
    ...(levels.length === scan.series.length ? { where: [or(levels.map(isRecorded))] } : {}),
  };
}

function isRecorded({ index }: { index: number }): SqlExpr {
  return binary(alias(`all_recordings${index}`), '>', constant(0));
}

function pointsWithPrevious(scan: MetricScan, levels: readonly { index: number; level: number }[]): Select {
  const { bucket, groups, set } = pointColumns(scan);
  return streamPoints({
    scan,
    size: 'Count',
    facts: [bucket, ...groups, set, ...levels.flatMap(({ index, level }) => recordedColumns(index, level))],
    readings: [
      seen,
      { as: 'observed', expr: column('Count'), none: constant(0) },
      { as: 'amount', expr: column('Sum'), none: constant(0) },
    ],
  });
}

/** The value that the point records at this level, and whether it does; NaN says that nothing was observed. */
function recordedColumns(index: number, level: number): OutputColumn[] {
  const distance = call('abs', binary(alias('each'), '-', constant(level)));
  const isLevel: SqlExpr = {
    kind: 'lambda',
    names: ['each'],
    body: binary(distance, '<', constant(levelTolerance)),
  };
  const place = call('arrayFirstIndex', isLevel, column('ValueAtQuantiles.Quantile'));
  return [
    { as: `recorded${index}`, expr: call('arrayElement', column('ValueAtQuantiles.Value'), place) },
    {
      as: `is_recorded${index}`,
      expr: and([binary(place, '>', constant(0)), call('isFinite', alias(`recorded${index}`))]),
    },
  ];
}

function setColumns(quantiles: readonly number[]): OutputColumn[] {
  return [
    { as: 'set_points', expr: call('count') },
    { as: 'set_count', expr: call('sum', alias('added_count')) },
    { as: 'set_sum', expr: call('sum', alias('added_sum')) },
    ...quantiles.flatMap((index): OutputColumn[] => {
      const newest = call('tuple', alias('at'), alias(`recorded${index}`));
      const isRecorded = alias(`is_recorded${index}`);
      return [
        { as: `last${index}`, expr: call('argMaxIf', alias(`recorded${index}`), newest, isRecorded) },
        { as: `recordings${index}`, expr: call('countIf', isRecorded) },
      ];
    }),
  ];
}

function totalColumns(quantiles: readonly number[]): OutputColumn[] {
  return [
    { as: 'points', expr: call('sum', alias('set_points')) },
    { as: 'total_count', expr: call('sum', alias('set_count')) },
    { as: 'total_sum', expr: call('sum', alias('set_sum')) },
    ...quantiles.flatMap((index): OutputColumn[] => {
      const isRecorded = binary(alias(`recordings${index}`), '>', constant(0));
      return [
        { as: `largest${index}`, expr: call('maxIf', call('toNullable', alias(`last${index}`)), isRecorded) },
        { as: `all_recordings${index}`, expr: call('sum', alias(`recordings${index}`)) },
      ];
    }),
  ];
}

function valueColumns(series: SeriesQuery, index: number): OutputColumn[] {
  return distributionColumns(series, index, {
    noun: 'a summary',
    quantile: () => call('toNullable', call('toFloat64', alias(`largest${index}`))),
    points: alias('points'),
    quantilePoints: alias(`all_recordings${index}`),
    count: alias('total_count'),
    sum: alias('total_sum'),
  });
}
