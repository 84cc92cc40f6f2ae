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
 * How far apart the points of a metric are, and its unit: one row with `interval_ms`, that of the attribute set in the
 * middle, and `unit`; not a number and empty where no set has two points in the range.
 */
export function compileMetricProfile(
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
      { as: 'unit', expr: table.columns.has('MetricUnit') ? call('any', column('MetricUnit')) : textValue('') },
      { as: 'gap_ms', expr: binary(span, '/', binary(call('count'), '-', constant(1))) },
    ],
    from: { kind: 'table', table, bounds: boundTime(table, { timestampColumn: source.timestampColumn }, range) },
    where: [binary(column('MetricName'), '=', textValue(name))],
    groupBy: [alias('attribute_set')],
    having: binary(span, '>', constant(0)),
  };
  const middle = { kind: 'call', name: 'quantileExactInclusive', levels: [0.5], args: [alias('gap_ms')] } as const;
  const columns = [
    { as: 'interval_ms', expr: middle },
    { as: 'unit', expr: call('toString', call('any', alias('unit'))) },
  ];
  return finishPlan({ columns, from: { kind: 'select', select: perSet }, limit: 1 }, guards);
}
