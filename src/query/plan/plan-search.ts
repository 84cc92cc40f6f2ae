import { compileConditions, compileValue, compileWhere } from '../compile-text.ts';
import { inText } from '../compiled-query.ts';
import type { Typed } from '../lower/typed.ts';
import { columnType } from '../schema/column-type.ts';
import { type Scope, scopeOf } from '../schema/scope.ts';
import type { SearchQuery } from '../search-query.ts';
import type { EventSourceSchema } from '../source-schema.ts';
import { parseOrder } from '../sql/parse-order.ts';
import { readEvents } from './read-events.ts';
import type { Ordering, Select } from './select.ts';
import { alias, call, column, type SqlExpr } from './sql-expr.ts';

const wide = /Int(64|128|256)\b/;
const unsortable = new Set(['map', 'array', 'other']);

/**
 * One page of events: columns `c0`, `c1`, … in the order of `select`. Events that the wanted order leaves equal are
 * sorted by what is selected, so that pages neither repeat nor skip one.
 */
export function planSearch(query: SearchQuery, source: EventSourceSchema): Select {
  const scope = scopeOf(source, source.table);
  const { from, where } = readEvents(source, scope, query.range);
  const filter = inText('where', () => compileWhere(query.where, query.whereLanguage, scope));
  const values = query.select.map((text, index) => inText(`select.${index}`, () => compileValue(text, scope)));
  const ties = values.flatMap(({ base }, index) => (unsortable.has(base) ? [] : [{ expr: alias(`c${index}`) }]));
  return {
    columns: values.map((value, index) => ({ as: `c${index}`, expr: exact(value, scope) })),
    from,
    where: [...where, ...compileConditions(query.conditions, scope), ...(filter === undefined ? [] : [filter])],
    orderBy: [...orderOf(query, source), ...ties],
    limit: query.limit,
    offset: query.offset,
  };
}

function orderOf({ orderBy }: SearchQuery, { table, timestampColumn }: EventSourceSchema): Ordering[] {
  const newestFirst = { expr: column(timestampColumn), descending: true };
  if (orderBy === undefined || orderBy.trim() === '') return [newestFirst];
  const wanted = inText('orderBy', () => parseOrder(orderBy, table.columns));
  const all = wanted.map((each) => ({ expr: column(each.column), descending: each.descending }));
  return wanted.some((each) => each.column === timestampColumn) ? all : [...all, newestFirst];
}

/** Integers that JSON's numbers can't hold leave the engine as text. */
function exact({ sql }: Typed, { table }: Scope): SqlExpr {
  if (sql.kind === 'value' && wide.test(sql.type)) return call('toString', sql);
  if (sql.kind !== 'column') return sql;
  const type = table.columns.get(sql.name) ?? '';
  return columnType(type).base === 'integer' && wide.test(type) ? call('toString', sql) : sql;
}
