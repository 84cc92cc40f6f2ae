import { RemovalMetaSchema } from '../../../contract/envelope.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { SavedSearchService } from '../saved-search-service.ts';

/** Its alerts go with it (contract §8). */
export function deleteSavedSearch(searches: SavedSearchService): Operation {
  return operation({
    id: 'deleteSavedSearch',
    method: 'DELETE',
    path: '/saved-searches/:id',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Delete a saved search and its alerts',
    tag: 'Saved searches',
    role: 'admin',
    answer: { kind: 'none', meta: RemovalMetaSchema },
    errors: ['saved_search_not_found'],
    handle: async ({ principal, params }) => {
      const deletedAlerts = await searches.remove(principal.tenantId, params.id ?? '');
      return { kind: 'none', ...(deletedAlerts.length > 0 && { meta: { deletedAlerts } }) };
    },
  });
}
