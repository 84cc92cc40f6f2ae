import type { SavedSearchInput, SavedSearchRecord } from '../../../../src/contract/saved-search.ts';

/** What the service sets itself. */
type Given = 'id' | 'teamId' | 'createdAt' | 'updatedAt';

/** The body that replaces a saved search by one with another question; what the page has no field for stays. */
export function changedSearch(
  saved: SavedSearchRecord,
  searched: Pick<SavedSearchInput, 'sourceId' | 'where' | 'whereLanguage' | 'select' | 'orderBy'>,
): SavedSearchInput {
  const { id: _id, teamId: _team, createdAt: _created, updatedAt: _updated, ...kept }: SavedSearchRecord = saved;
  return { ...(kept satisfies Omit<SavedSearchRecord, Given>), ...searched };
}
