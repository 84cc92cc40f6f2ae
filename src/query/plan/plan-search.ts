import { compileConditions, compileValue, compileWhere } from '../compile-text.ts';
import { inText } from '../compiled-query.ts';
import type { Typed } from '../lower/typed.ts';
import { columnType } from '../schema/column-type.ts';
import { type Scope, scopeOf } from '../schema/scope.ts';
import { orderOfSearch, type SearchQuery } from '../search-query.ts';
import type { EventSourceSchema } from '../source-schema.ts';
import { readEvents } from './read-events.ts';
import type { OutputColumn, Select } from './select.ts';
import { alias, call, column, type SqlExpr } from './sql-expr.ts';

const wide = /Int(64|128|256)\b/;
const unsortable = new Set(['map', 'array', 'other']);

/**
 * One page of events: columns `c0`, `c1`, … in the order of `select`. Events that the wanted order leaves equal are
 * sorted by what is selected, maps and arrays as text, so that pages neither repeat nor skip one: two events that even
 * this leaves equal look the same.
 */
export function planSearch(query: SearchQuery, source: EventSourceSchema): Select {
  const { columns, bases, ...read } = readSelected(query, source);
  const sortable = columns.filter((_, index) => !unsortable.has(bases[index] ?? ''));
  const others = columns.filter((_, index) => unsortable.has(bases[index] ?? ''));
  const ties = sortable.map(({ as }) => ({ expr: alias(as) }));
  // Of a tuple, as one null would make the text of all of them null.
  const rest =
    others.length > 0 ? [{ expr: call('toString', call('tuple', ...others.map(({ as }) => alias(as)))) }] : [];
  return {
    ...read,
    columns,
    orderBy: [...keysOf(query, source), ...ties, ...rest],
    limit: query.limit,
    offset: query.offset,
  };
}

/** The same page and its neighbours, without an order among equals; `k0`, `k1`, … are what it is ordered by. */
export function planSearchPage(query: SearchQuery, source: EventSourceSchema): Select {
  const { columns, bases: _, scope, ...read } = readSelected(query, source);
  const orderBy = keysOf(query, source);
  const keys = orderBy.map(({ expr }, index) => ({ as: `k${index}`, expr: exact(expr, scope) }));
  const before = query.offset > 0 ? 1 : 0;
  return {
    ...read,
    columns: [...columns, ...keys],
    orderBy,
    limit: before + query.limit + 1,
    offset: query.offset - before,
  };
}

interface Selected extends Pick<Select, 'from' | 'where'> {
  columns: OutputColumn[];
  /** What kind of value each column holds. */
  bases: string[];
  scope: Scope;
}

function readSelected(query: SearchQuery, source: EventSourceSchema): Selected {
  const scope = scopeOf(source, source.table);
  const { from, where } = readEvents(source, scope, query.range);
  const filter = inText('where', () => compileWhere(query.where, query.whereLanguage, scope));
  const values = query.select.map((text, index) => inText(`select.${index}`, () => compileValue(text, scope)));
  return {
    columns: values.map(({ sql }, index) => ({ as: `c${index}`, expr: exact(sql, scope) })),
    bases: values.map(({ base }) => base),
    scope,
    from,
    where: [...where, ...compileConditions(query.conditions, scope), ...(filter === undefined ? [] : [filter])],
  };
}

function keysOf(query: SearchQuery, source: EventSourceSchema) {
  return orderOfSearch(query, source).map((each) => ({ expr: column(each.column), descending: each.descending }));
}

/** Integers that JSON's numbers can't hold leave the engine as text. */
function exact(sql: Typed['sql'], { table }: Scope): SqlExpr {
  if (sql.kind === 'value' && wide.test(sql.type)) return call('toString', sql);
  if (sql.kind !== 'column') return sql;
  const type = table.columns.get(sql.name) ?? '';
  return columnType(type).base === 'integer' && wide.test(type) ? call('toString', sql) : sql;
}
