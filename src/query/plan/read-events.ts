import type { TimeRange } from '../chart-query.ts';
import { compileWhere } from '../compile-text.ts';
import { inText, sourceFilterPath } from '../compiled-query.ts';
import { boundTime } from '../passes/bound-time.ts';
import type { Scope } from '../schema/scope.ts';
import type { EventSourceSchema } from '../source-schema.ts';
import type { TableRead } from './select.ts';
import type { SqlExpr } from './sql-expr.ts';

/**
 * The only way to read a log or trace source: within a time range, and never past the source's own filter, on which
 * some rely to keep rows apart. Throws `QueryTextError` (`sourceFilterPath`) when the filter can't be applied.
 */
export function readEvents(
  source: EventSourceSchema,
  scope: Scope,
  range: TimeRange,
): { from: TableRead; where: SqlExpr[] } {
  const filter = inText(sourceFilterPath, () =>
    compileWhere(source.filter ?? '', 'sql', { ...scope, capitalsAreColumns: true }),
  );
  return {
    from: { kind: 'table', table: source.table, bounds: boundTime(source.table, source, range) },
    where: filter === undefined ? [] : [filter],
  };
}
