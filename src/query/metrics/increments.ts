import { type OutputColumn, type Select, sameColumn } from '../plan/select.ts';
import { alias, and, binary, call, constant, not, or, type SqlExpr } from '../plan/sql-expr.ts';
import type { Reading } from './streams.ts';

/**
 * A select around another one: all its columns and these. The engine expands a name wherever it is used within one
 * select, so definitions that build on each other would grow exponentially; a separate select prevents that.
 */
export function extend(inner: Select, columns: readonly OutputColumn[]): Select {
  return {
    columns: [...inner.columns.map(({ as }) => sameColumn(as)), ...columns],
    from: { kind: 'select', select: inner },
  };
}

/** What `countingColumns` needs to know of each point, whatever its value is made of: `seen_before` is 1 of all but the first. */
export const seen: Reading = { as: 'seen', expr: call('toUInt64', constant(1)), none: constant(0) };
const isFirst = binary(alias('seen_before'), '=', constant(0));

/**
 * How a point counts. `is_whole`: as it is (delta, after a reset, the first of its stream if it counts in full).
 * `is_baseline`: not at all, it only says where the counting starts. Else: what came since the point before it.
 */
export function countingColumns(isReset: SqlExpr): OutputColumn[] {
  return [
    {
      as: 'is_whole',
      expr: or([alias('is_delta'), call('if', isFirst, alias('counts_in_full'), isReset)]),
    },
    { as: 'is_baseline', expr: and([not(alias('is_delta')), isFirst, not(alias('counts_in_full'))]) },
  ];
}

/** What a reading of this point adds to the one before, in floating point. */
export function increment(now: SqlExpr, before: SqlExpr): SqlExpr {
  const subtracted = call(
    'if',
    alias('is_whole'),
    constant(0),
    call('if', alias('is_baseline'), call('toFloat64', now), call('toFloat64', before)),
  );
  return binary(call('toFloat64', now), '-', subtracted);
}
