import { findAggregate } from '../aggregates/registry.ts';
import type { SeriesQuery } from '../chart-query.ts';
import { QueryTextError } from '../compiled-query.ts';
import { bucketAndGroup } from '../plan/plan-groups.ts';
import { type From, type OutputColumn, type Select, sameColumn } from '../plan/select.ts';
import { alias, call, type SqlExpr } from '../plan/sql-expr.ts';
import type { MetricScan } from './metric-scan.ts';

/** `n…` and `v…` of a series, out of the rows of a bucket and group. */
export interface SeriesValue {
  readonly points: SqlExpr;
  readonly value: SqlExpr;
}

/**
 * The last step of gauges and sums: `rows` has `ts`, the groups and what `toValue` needs, a row per attribute set or per
 * point.
 */
export function aggregateAcrossSets(
  scan: MetricScan,
  groups: readonly OutputColumn[],
  rows: From,
  toValue: (series: SeriesQuery, index: number) => SeriesValue,
): Select {
  const values = scan.series.flatMap(({ index, query }): OutputColumn[] => {
    const { points, value } = toValue(query, index);
    return [
      { as: `n${index}`, expr: points },
      { as: `v${index}`, expr: call('toNullable', call('toFloat64', value)) },
    ];
  });
  return {
    columns: [sameColumn('ts'), ...groups.map(({ as }) => sameColumn(as)), ...values],
    from: rows,
    groupBy: bucketAndGroup(groups),
  };
}

/** `newest` of an attribute set, out of the times of its points, where a series asks which set's value is the last. */
export function newestColumns({ series }: MetricScan, time: SqlExpr): OutputColumn[] {
  const isAsked = series.some(({ query }) => query.aggregate === 'last_value');
  return isAsked ? [{ as: 'newest', expr: time }] : [];
}

/** An aggregate of `value`, of the rows that meet `condition`. */
export function aggregateOfValues(series: SeriesQuery, index: number, condition?: SqlExpr): SqlExpr {
  const aggregate = findAggregate(series.aggregate);
  if (!aggregate) {
    throw new QueryTextError(`${series.aggregate} is for sum metrics`, undefined, undefined, `series.${index}.aggFn`);
  }
  const { level = 0.5 } = series;
  return aggregate.build({
    value: { sql: alias('value'), base: 'float', nullable: condition !== undefined },
    timestamp: alias('newest'),
    level,
    levels: [level],
    ...(condition && { condition }),
  });
}
