import type { SavedSearchInput, SavedSearchRecord } from '../../contract/saved-search.ts';
import type { SavedSearch } from './saved-search-repository.ts';

/** The record that a request describes, whole: what it leaves out has its default (contract §8). */
export function toSavedSearch(
  { id, createdAt, updatedAt }: Pick<SavedSearch, 'id' | 'createdAt' | 'updatedAt'>,
  input: SavedSearchInput,
): SavedSearch {
  return {
    id,
    name: input.name.trim(),
    sourceId: input.sourceId,
    select: input.select ?? '',
    where: input.where ?? '',
    whereLanguage: input.whereLanguage ?? 'lucene',
    orderBy: input.orderBy ?? '',
    tags: input.tags ?? [],
    filters: (input.filters ?? []).map((filter) =>
      'condition' in filter ? { type: filter.type ?? 'sql', condition: filter.condition } : filter,
    ),
    createdAt,
    updatedAt,
  };
}

export function presentSavedSearch(
  tenantId: string,
  { createdAt, updatedAt, ...rest }: SavedSearch,
): SavedSearchRecord {
  return { ...rest, teamId: tenantId, createdAt, updatedAt };
}
