import type { EventSource } from './event-columns.ts';
import { timestampOf } from './event-columns.ts';
import type { ListColumn } from './list-columns.ts';

export type SortDirection = 'ascending' | 'descending' | 'none';

/** Events are ordered by columns of their table; anything else would have to be computed for every event of the range. */
export function isSortable({ expression }: Pick<ListColumn, 'expression'>): boolean {
  return /^[A-Za-z_]\w*$/.test(expression) || /^`[^`]+`$/.test(expression);
}

/** How the list is sorted by this column in the first place. */
export function sortOf({ expression }: ListColumn, orderBy: string, source: EventSource): SortDirection {
  if (orderBy.trim() === '') {
    const isNewestFirst = !source.orderByExpression?.trim() && expression === timestampOf(source);
    return isNewestFirst ? 'descending' : 'none';
  }
  const [, column, direction = ''] = /^\s*(`[^`]+`|"[^"]+"|[\w.]+)(?:\s+(asc|desc))?\s*(?:,|$)/i.exec(orderBy) ?? [];
  if (column !== expression) return 'none';
  return direction.toLowerCase() === 'desc' ? 'descending' : 'ascending';
}

/** The `orderBy` that sorts by this column. Newest first needs none. */
export function orderByColumn(
  column: ListColumn,
  direction: Exclude<SortDirection, 'none'>,
  source: EventSource,
): string {
  const isUsual = direction === 'descending' && sortOf(column, '', source) === 'descending';
  return isUsual ? '' : `${column.expression} ${direction === 'descending' ? 'DESC' : 'ASC'}`;
}

/** What a click on the heading asks for: ascending, then descending, then newest first again. */
export function nextOrderBy(column: ListColumn, orderBy: string, source: EventSource): string {
  const sort = sortOf(column, orderBy, source);
  if (sort === 'none') return orderByColumn(column, 'ascending', source);
  if (sort === 'ascending') return orderByColumn(column, 'descending', source);
  return orderBy.trim() === '' ? orderByColumn(column, 'ascending', source) : '';
}
