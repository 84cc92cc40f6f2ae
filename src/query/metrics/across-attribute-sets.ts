import { findAggregate } from '../aggregates/registry.ts';
import type { ChartQuery, SeriesQuery } from '../chart-query.ts';
import { QueryTextError } from '../compiled-query.ts';
import { bucketAndGroup } from '../plan/plan-groups.ts';
import type { OutputColumn, Select } from '../plan/select.ts';
import { alias, binary, call, constant, type SqlExpr } from '../plan/sql-expr.ts';
import type { MetricScan } from './metric-scan.ts';

/**
 * The last step of gauges and sums: `perSet` has one row per bucket, group and attribute set with `value`, `points`
 * and `newest`; the aggregate of each series runs over the attribute sets.
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

function aggregateOf(series: SeriesQuery, index: number, scan: MetricScan): SqlExpr {
  const isCounter = scan.kind === 'sum';
  if (isCounter && series.aggregate === 'increase') return call('sum', alias('value'));
  if (isCounter && series.aggregate === 'rate')
    return binary(call('sum', alias('value')), '/', bucketSeconds(scan.query));
  const aggregate = findAggregate(series.aggregate);
  if (!aggregate) {
    throw new QueryTextError(`${series.aggregate} is for sum metrics`, undefined, undefined, `series.${index}.aggFn`);
  }
  return aggregate.build({
    value: { sql: alias('value'), base: 'float', nullable: false },
    timestamp: alias('newest'),
    level: series.level ?? 0.5,
  });
}

/** Seconds of the bucket that lie inside the range; the first and the last bucket may be partial. */
function bucketSeconds({ granularityMs, range }: ChartQuery): SqlExpr {
  if (granularityMs === undefined) return constant((range.endMs - range.startMs) / 1000);
  const end = call('least', binary(alias('ts'), '+', constant(granularityMs)), constant(range.endMs));
  const start = call('greatest', alias('ts'), constant(range.startMs));
  return binary(binary(end, '-', start), '/', constant(1000));
}
