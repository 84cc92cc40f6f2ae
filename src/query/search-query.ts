import type { Condition, TimeRange, WhereLanguage } from './chart-query.ts';
import { inText } from './compiled-query.ts';
import type { EventSourceSchema } from './source-schema.ts';
import { type ParsedOrdering, parseOrder } from './sql/parse-order.ts';

/** Events of a log or trace source, one page of them. */
export interface SearchQuery {
  range: TimeRange;
  /** User text in `whereLanguage`; empty matches everything. */
  where: string;
  whereLanguage: WhereLanguage;
  /** Further filters, of what surrounds the search. */
  conditions?: readonly Condition[];
  /** User texts: columns, attributes, maps and allowed functions of these; at least one. */
  select: readonly string[];
  /** User text: columns with ASC or DESC, separated by commas; newest first when absent. */
  orderBy?: string;
  limit: number;
  offset: number;
}

/**
 * The columns that a search is ordered by: the requested ones, then newest first. Throws `QueryTextError`
 * for `orderBy`.
 */
export function orderOfSearch(
  { orderBy }: Pick<SearchQuery, 'orderBy'>,
  { table, timestampColumn }: EventSourceSchema,
): ParsedOrdering[] {
  const newestFirst = { column: timestampColumn, descending: true };
  if (orderBy === undefined || orderBy.trim() === '') return [newestFirst];
  const wanted = inText('orderBy', () => parseOrder(orderBy, table.columns));
  return wanted.some((each) => each.column === timestampColumn) ? wanted : [...wanted, newestFirst];
}
