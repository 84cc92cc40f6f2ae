import { SavedSearchInputSchema, SavedSearchSchema } from '../../../contract/saved-search.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { SavedSearchService } from '../saved-search-service.ts';
import { presentSavedSearch } from '../to-saved-search.ts';

export function createSavedSearch(searches: SavedSearchService): Operation {
  return operation({
    id: 'createSavedSearch',
    method: 'POST',
    path: '/saved-searches',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Save a search',
    tag: 'Saved searches',
    role: 'admin',
    body: SavedSearchInputSchema,
    answer: { kind: 'one', schema: SavedSearchSchema },
    errors: ['request_invalid'],
    handle: async ({ principal: { tenantId }, body }) => ({
      kind: 'data',
      data: presentSavedSearch(tenantId, await searches.create(tenantId, body)),
    }),
  });
}
