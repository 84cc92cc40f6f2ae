import type { SeriesQuery } from '../chart-query.ts';
import { QueryTextError } from '../compiled-query.ts';
import type { OutputColumn } from '../plan/select.ts';
import { binary, call, type SqlExpr } from '../plan/sql-expr.ts';

/** What distributions of one kind are called, and how their values are written; of one bucket and group. */
export interface DistributionKind {
  readonly noun: string;
  /** May be NULL. */
  readonly quantile: (level: number) => SqlExpr;
  readonly points: SqlExpr;
  /** Points that contribute to a quantile; none if nothing was observed, which has no quantile. */
  readonly quantilePoints: SqlExpr;
  readonly count: SqlExpr;
  readonly sum: SqlExpr;
}

/** `n…` and `v…` of a series. */
export function distributionColumns(series: SeriesQuery, index: number, kind: DistributionKind): OutputColumn[] {
  return [
    { as: `n${index}`, expr: series.aggregate === 'quantile' ? kind.quantilePoints : kind.points },
    { as: `v${index}`, expr: distributionValue(series, index, kind) },
  ];
}

function distributionValue(series: SeriesQuery, index: number, kind: DistributionKind): SqlExpr {
  switch (series.aggregate) {
    case 'quantile':
      return kind.quantile(series.level ?? 0.5);
    case 'count':
      return number(kind.count);
    case 'sum':
      return number(kind.sum);
    case 'avg':
      return number(binary(kind.sum, '/', kind.count));
    default: {
      const text = `${series.aggregate} is not known of ${kind.noun}; quantile, count, sum and avg are`;
      throw new QueryTextError(text, undefined, undefined, `series.${index}.aggFn`);
    }
  }
}

function number(value: SqlExpr): SqlExpr {
  return call('toNullable', call('toFloat64', value));
}
