import type { Guards, TimeRange } from './chart-query.ts';
import { type CompiledQuery, QueryTextError } from './compiled-query.ts';
import { finishPlan } from './finish-plan.ts';
import { attributeSet } from './metrics/metric-scan.ts';
import { boundTime } from './passes/bound-time.ts';
import type { Select } from './plan/select.ts';
import { alias, binary, call, column, constant, textValue } from './plan/sql-expr.ts';
import { unixMs } from './plan/time-buckets.ts';
import type { MetricKind, MetricSourceSchema } from './source-schema.ts';

/**
 * How far apart the points of a metric are: one row with `interval_ms`, that of the attribute set in the middle; not a
 * number where no set has two points in the range.
 */
export function compileSamplingInterval(
  { name, kind, range }: { name: string; kind: MetricKind; range: TimeRange },
  source: MetricSourceSchema,
  guards: Guards,
): CompiledQuery {
  const table = source.tables[kind];
  if (!table) throw new QueryTextError(`this source has no ${kind} metrics`);
  const at = unixMs(table, source.timestampColumn);
  const span = binary(call('max', at), '-', call('min', at));
  const perSet: Select = {
    columns: [
      { as: 'attribute_set', expr: attributeSet({ source, table }) },
      { as: 'gap_ms', expr: binary(span, '/', binary(call('count'), '-', constant(1))) },
    ],
    from: { kind: 'table', table, bounds: boundTime(table, { timestampColumn: source.timestampColumn }, range) },
    where: [binary(column('MetricName'), '=', textValue(name))],
    groupBy: [alias('attribute_set')],
    having: binary(span, '>', constant(0)),
  };
  const middle = { kind: 'call', name: 'quantileExactInclusive', levels: [0.5], args: [alias('gap_ms')] } as const;
  return finishPlan(
    { columns: [{ as: 'interval_ms', expr: middle }], from: { kind: 'select', select: perSet }, limit: 1 },
    guards,
  );
}
