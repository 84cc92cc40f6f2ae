import type { LogSource, TraceSource } from '../../contract/source.ts';
import { compileSearch, compileSearchPage } from '../../query/compile-search.ts';
import { QueryTextError } from '../../query/compiled-query.ts';
import { orderOfSearch, type SearchQuery } from '../../query/search-query.ts';
import type { TableSchema } from '../../query/source-schema.ts';
import { parseOrder } from '../../query/sql/parse-order.ts';
import type { OpenEvents } from '../charts/reading/open-events.ts';
import { toTextProblem } from '../charts/request/text-problem.ts';
import type { PageReading } from './page-reading.ts';

export type PreparedSearch = Omit<PageReading, 'run'>;

/** A search with its order, ready to be read page by page. Throws `query_invalid` with the position in the text. */
export function prepareSearch(query: SearchQuery, { source, schema, guards }: OpenEvents): PreparedSearch {
  const orderBy = query.orderBy ?? orderOf(source, schema.table);
  const ordered = { ...query, ...(orderBy !== undefined && { orderBy }) };
  const located = <T>(compile: () => T): T => withTextErrors(source.name, compile);
  return {
    query: ordered,
    order: located(() => orderOfSearch(ordered, schema)),
    timestampColumn: schema.timestampColumn,
    compilePage: (page) => located(() => compileSearchPage(page, schema, guards)),
    compileExact: (page) => located(() => compileSearch(page, schema, guards)),
  };
}

/** The source's own order as far as we read orders: one that is made of anything but columns means newest first. */
function orderOf({ orderByExpression }: LogSource | TraceSource, { columns }: TableSchema): string | undefined {
  if (!orderByExpression?.trim()) return undefined;
  try {
    parseOrder(orderByExpression, columns);
    return orderByExpression;
  } catch (error) {
    if (error instanceof QueryTextError) return undefined;
    throw error;
  }
}

/** Positions are in the text; in `select` within its column. */
function withTextErrors<T>(sourceName: string, compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (error instanceof QueryTextError) throw toTextProblem(error, sourceName, (where = 'where') => where);
    throw error;
  }
}
