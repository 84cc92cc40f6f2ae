import { PageQuerySchema } from '../../../contract/pagination.ts';
import { SavedSearchSchema } from '../../../contract/saved-search.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { SavedSearchService } from '../saved-search-service.ts';
import { presentSavedSearch } from '../to-saved-search.ts';

/** contract §8. Self-hosted only, as nothing in the seed's table offers them elsewhere (decisions F3). */
export function listSavedSearches(searches: SavedSearchService): Operation {
  return operation({
    id: 'listSavedSearches',
    method: 'GET',
    path: '/saved-searches',
    flavours: ['selfHosted'],
    console: true,
    summary: 'List saved searches',
    tag: 'Saved searches',
    role: 'read',
    query: PageQuerySchema,
    answer: { kind: 'list', schema: SavedSearchSchema, paged: true },
    errors: ['request_invalid'],
    handle: async ({ principal: { tenantId }, query }) => {
      const { savedSearches, page } = await searches.list(tenantId, query);
      return { kind: 'data', data: savedSearches.map((each) => presentSavedSearch(tenantId, each)), page };
    },
  });
}
