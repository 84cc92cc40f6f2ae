import { findAggregate } from '../aggregates/registry.ts';
import type { ChartQuery, SeriesQuery } from '../chart-query.ts';
import { QueryTextError } from '../compiled-query.ts';
import { bucketAndGroup } from '../plan/plan-groups.ts';
import type { OutputColumn, Select } from '../plan/select.ts';
import { alias, binary, call, constant, type SqlExpr } from '../plan/sql-expr.ts';
import type { MetricScan } from './metric-scan.ts';

/**
 * The last step of gauges and sums: `perSet` has one row per bucket, group and attribute set with `value`, `points`
 * and `newestColumns`; the aggregate of each series runs over the attribute sets.
 */
export function aggregateAcrossSets(scan: MetricScan, groups: readonly OutputColumn[], perSet: Select): Select {
  const values = scan.series.flatMap(({ index, query }): OutputColumn[] => [
    { as: `n${index}`, expr: call('sum', alias('points')) },
    { as: `v${index}`, expr: call('toNullable', call('toFloat64', aggregateOf(query, index, scan))) },
  ]);
  const key = groups.map(({ as }): OutputColumn => ({ as, expr: alias(as) }));
  return {
    columns: [{ as: 'ts', expr: alias('ts') }, ...key, ...values],
    from: { kind: 'select', select: perSet },
    groupBy: bucketAndGroup(groups),
  };
}

/** `newest` of an attribute set, out of the times of its points, where a series asks which set's value is the last. */
export function newestColumns({ series }: MetricScan, time: SqlExpr): OutputColumn[] {
  const isAsked = series.some(({ query }) => query.aggregate === 'last_value');
  return isAsked ? [{ as: 'newest', expr: call('max', time) }] : [];
}

/** `v…` of the series if it adds up what a counter gained, whoever gained it; `undefined` for other aggregates. */
export function totalOf(gain: SqlExpr, { aggregate }: SeriesQuery, query: ChartQuery): SqlExpr | undefined {
  if (aggregate === 'sum' || aggregate === 'increase') return call('sum', gain);
  return aggregate === 'rate' ? binary(call('sum', gain), '/', bucketSeconds(query)) : undefined;
}

function aggregateOf(series: SeriesQuery, index: number, scan: MetricScan): SqlExpr {
  const total = scan.kind === 'sum' ? totalOf(alias('value'), series, scan.query) : undefined;
  if (total) return total;
  const aggregate = findAggregate(series.aggregate);
  if (!aggregate) {
    throw new QueryTextError(`${series.aggregate} is for sum metrics`, undefined, undefined, `series.${index}.aggFn`);
  }
  const { level = 0.5 } = series;
  return aggregate.build({
    value: { sql: alias('value'), base: 'float', nullable: false },
    timestamp: alias('newest'),
    level,
    levels: [level],
  });
}

/** Seconds of the bucket that lie inside the range; the first and the last bucket may be partial. */
function bucketSeconds({ granularityMs, range }: ChartQuery): SqlExpr {
  if (granularityMs === undefined) return constant((range.endMs - range.startMs) / 1000);
  const end = call('least', binary(alias('ts'), '+', constant(granularityMs)), constant(range.endMs));
  const start = call('greatest', alias('ts'), constant(range.startMs));
  return binary(binary(end, '-', start), '/', constant(1000));
}
