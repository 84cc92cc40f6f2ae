import { SavedSearchInputSchema, SavedSearchSchema } from '../../../contract/saved-search.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { SavedSearchService } from '../saved-search-service.ts';
import { presentSavedSearch } from '../to-saved-search.ts';

/** Replaces the record, which is looked for before the body is validated (decisions D2). */
export function updateSavedSearch(searches: SavedSearchService): Operation {
  return operation({
    id: 'updateSavedSearch',
    method: 'PUT',
    path: '/saved-searches/:id',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Replace a saved search',
    tag: 'Saved searches',
    role: 'admin',
    body: SavedSearchInputSchema,
    answer: { kind: 'one', schema: SavedSearchSchema },
    errors: ['request_invalid', 'saved_search_not_found'],
    precheck: async ({ principal, params }) => {
      await searches.get(principal.tenantId, params.id ?? '');
    },
    handle: async ({ principal: { tenantId }, params, body }) => ({
      kind: 'data',
      data: presentSavedSearch(tenantId, await searches.replace(tenantId, params.id ?? '', body)),
    }),
  });
}
