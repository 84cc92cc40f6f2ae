import type { Operation } from '../../../http/operation.ts';
import type { SavedSearchService } from '../saved-search-service.ts';
import { createSavedSearch } from './create-saved-search.ts';
import { deleteSavedSearch } from './delete-saved-search.ts';
import { getSavedSearch } from './get-saved-search.ts';
import { listSavedSearches } from './list-saved-searches.ts';
import { updateSavedSearch } from './update-saved-search.ts';

/** Every operation on saved searches. */
export function savedSearchOperations(searches: SavedSearchService): Operation[] {
  return [
    listSavedSearches(searches),
    createSavedSearch(searches),
    getSavedSearch(searches),
    updateSavedSearch(searches),
    deleteSavedSearch(searches),
  ];
}
