import { compileConditions, compileWhere } from '../compile-text.ts';
import { inText } from '../compiled-query.ts';
import { boundTime } from '../passes/bound-time.ts';
import type { PatternsQuery } from '../patterns-query.ts';
import { type Scope, scopeOf } from '../schema/scope.ts';
import type { EventSourceSchema } from '../source-schema.ts';
import { fieldText } from './plan-facets.ts';
import { readEvents } from './read-events.ts';
import type { Select } from './select.ts';
import { alias, and, call, constant, or } from './sql-expr.ts';

/** Columns as `compileTexts` says; equal texts are sent once. */
export function planTexts(query: PatternsQuery, source: EventSourceSchema): Select {
  const scope = scopeOf(source, source.table);
  const { from, where } = matching(query, source, scope);
  const text = inText('field', () => fieldText(query.field, scope));
  const slices = query.slices.map((slice) => and(boundTime(source.table, source, slice)));
  const events: Select = {
    columns: [{ as: 'v', expr: call('substringUTF8', text, constant(1), constant(query.lengthMax)) }],
    from,
    where: [...where, ...(slices.length > 0 ? [or(slices)] : [])],
    limit: query.eventsMax,
  };
  return {
    columns: [
      { as: 'v', expr: alias('v') },
      { as: 'n', expr: call('count') },
    ],
    from: { kind: 'select', select: events },
    groupBy: [alias('v')],
    limit: query.eventsMax,
  };
}

/** One column `n`. */
export function planMatchCount(query: PatternsQuery, source: EventSourceSchema): Select {
  const { from, where } = matching(query, source, scopeOf(source, source.table));
  return { columns: [{ as: 'n', expr: call('count') }], from: { ...from, mayBeProjected: true }, where, limit: 1 };
}

function matching(query: PatternsQuery, source: EventSourceSchema, scope: Scope) {
  const { from, where } = readEvents(source, scope, query.range);
  const filter = inText('where', () => compileWhere(query.where, query.whereLanguage, scope));
  const conditions = compileConditions(query.conditions, scope);
  return { from, where: [...where, ...conditions, ...(filter === undefined ? [] : [filter])] };
}
