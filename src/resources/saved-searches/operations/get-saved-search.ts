import { SavedSearchSchema } from '../../../contract/saved-search.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { SavedSearchService } from '../saved-search-service.ts';
import { presentSavedSearch } from '../to-saved-search.ts';

export function getSavedSearch(searches: SavedSearchService): Operation {
  return operation({
    id: 'getSavedSearch',
    method: 'GET',
    path: '/saved-searches/:id',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Get a saved search',
    tag: 'Saved searches',
    role: 'read',
    answer: { kind: 'one', schema: SavedSearchSchema },
    errors: ['saved_search_not_found'],
    handle: async ({ principal: { tenantId }, params }) => ({
      kind: 'data',
      data: presentSavedSearch(tenantId, await searches.get(tenantId, params.id ?? '')),
    }),
  });
}
