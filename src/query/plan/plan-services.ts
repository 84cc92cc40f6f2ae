import { compileWhere } from '../compile-text.ts';
import { inText } from '../compiled-query.ts';
import { isFrom } from '../passes/bound-time.ts';
import { type Scope, scopeOf } from '../schema/scope.ts';
import type { ServiceBasis, ServicesQuery } from '../services-query.ts';
import type { EventSourceSchema } from '../source-schema.ts';
import { readEvents } from './read-events.ts';
import { sampleWeight } from './sample-weight.ts';
import type { Select } from './select.ts';
import { isFailed, isOfKind, spanDuration, spanText } from './span-fields.ts';
import { spanMeasures } from './span-measures.ts';
import { alias, binary, call, emptyText, type SqlExpr, textValue } from './sql-expr.ts';

/** Columns as `compileServices` says. */
export function planServices(query: ServicesQuery, source: EventSourceSchema): Select {
  const scope = scopeOf(source, source.table);
  const { from, where } = readEvents(source, scope, query.range);
  const filter = inText('where', () => compileWhere(query.where, query.whereLanguage, scope));
  const service = spanText('service', source, scope);
  const named = query.services.length === 0 ? [] : [call('IN', service, ...query.services.map(textValue))];
  const measured = {
    duration: spanDuration(source, scope),
    failed: isFailed(source, scope),
    weight: sampleWeight(source, scope),
  };
  return {
    columns: [
      { as: 'g', expr: query.groupedBy === 'service' ? service : spanText('name', source, scope) },
      { as: 'is_current', expr: isFrom(source, query.currentFromMs) },
      { as: 'spans', expr: call('count') },
      ...query.bases.flatMap((basis) =>
        spanMeasures({ prefix: `${basis}_`, ...measured, condition: spansOf(basis, source, scope) }),
      ),
    ],
    from,
    where: [...where, ...named, ...(filter === undefined ? [] : [filter])],
    groupBy: [alias('g'), alias('is_current')],
    orderBy: [{ expr: alias('spans'), descending: true }, { expr: alias('g') }],
    limit: query.rowsMax,
  };
}

/** `undefined` = every span. */
function spansOf(basis: ServiceBasis, source: EventSourceSchema, scope: Scope): SqlExpr | undefined {
  if (basis === 'entry') return isOfKind(['server', 'consumer'], source, scope);
  return basis === 'root' ? binary(spanText('parentSpanId', source, scope), '=', emptyText) : undefined;
}
