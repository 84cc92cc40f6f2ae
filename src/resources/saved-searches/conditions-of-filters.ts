import type { SavedSearchFilter } from '../../contract/saved-search.ts';
import type { Condition } from '../../query/chart-query.ts';

/** The filters of a saved search, which narrow it down further. */
export function conditionsOf(filters: readonly SavedSearchFilter[]): Condition[] {
  return filters.map(toCondition);
}

function toCondition(filter: SavedSearchFilter, index: number): Condition {
  const path = `filters.${index}.condition`;
  if ('condition' in filter) return { where: filter.condition, whereLanguage: filter.type ?? 'sql', path };
  const { left, operator, right } = filter;
  return { where: `${left} ${operator} ${right}`, whereLanguage: 'sql', path };
}
