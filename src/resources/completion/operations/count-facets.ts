import { FacetSchema, FacetsMetaSchema, FacetsRequestSchema } from '../../../contract/completion.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { FacetService } from '../facet-service.ts';

/** The most frequent values of some fields among the events that a search finds. */
export function countFacets(facets: FacetService): Operation {
  return operation({
    id: 'countFacets',
    method: 'POST',
    path: '/search/facets',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Count the values of fields',
    tag: 'Search',
    role: 'read',
    body: FacetsRequestSchema,
    bodyInvalid: 'query_invalid',
    answer: { kind: 'list', schema: FacetSchema, meta: FacetsMetaSchema },
    errors: ['query_invalid', 'source_not_found', 'connection_not_found', 'engine_unavailable', 'query_timeout'],
    handle: async ({ principal, body, signal }) => {
      const { facets: data, meta } = await facets.count(principal.tenantId, body, signal);
      return { kind: 'data', data, meta };
    },
  });
}
