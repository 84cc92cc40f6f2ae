import type { SeriesQuery } from '../chart-query.ts';
import { QueryTextError } from '../compiled-query.ts';
import type { OutputColumn } from '../plan/select.ts';
import { alias, binary, call, constant, type SqlExpr } from '../plan/sql-expr.ts';

/** What distributions of one kind are called, and how their quantiles are told. */
export interface DistributionKind {
  readonly noun: string;
  readonly quantile: (level: number) => SqlExpr;
  /** Rows that stand behind a quantile; none where nothing was observed, which has no quantile. */
  readonly quantileRows: SqlExpr;
}

/** `points` where anything was observed. */
export const pointsIfObserved: SqlExpr = call(
  'if',
  binary(alias('total'), '>', constant(0)),
  alias('points'),
  constant(0),
);

/** `n…` and `v…` of a series, out of `points`, `total_count` and `total_sum` of a bucket and group. */
export function distributionColumns(series: SeriesQuery, index: number, kind: DistributionKind): OutputColumn[] {
  return [
    { as: `n${index}`, expr: series.aggregate === 'quantile' ? kind.quantileRows : alias('points') },
    { as: `v${index}`, expr: call('toNullable', call('toFloat64', distributionValue(series, index, kind))) },
  ];
}

function distributionValue(series: SeriesQuery, index: number, kind: DistributionKind): SqlExpr {
  switch (series.aggregate) {
    case 'quantile':
      return kind.quantile(series.level ?? 0.5);
    case 'count':
      return alias('total_count');
    case 'sum':
      return alias('total_sum');
    case 'avg':
      return binary(alias('total_sum'), '/', alias('total_count'));
    default: {
      const text = `${series.aggregate} is not known of ${kind.noun}; quantile, count, sum and avg are`;
      throw new QueryTextError(text, undefined, undefined, `series.${index}.aggFn`);
    }
  }
}
