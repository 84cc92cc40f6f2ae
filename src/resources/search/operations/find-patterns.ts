import { EventPatternSchema, PatternsMetaSchema, PatternsRequestSchema } from '../../../contract/patterns.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { PatternsService } from '../patterns-service.ts';

/** The patterns of the texts of what a search finds. */
export function findPatterns(service: PatternsService): Operation {
  return operation({
    id: 'findPatterns',
    method: 'POST',
    path: '/search/patterns',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Find patterns in the texts of events',
    tag: 'Search',
    role: 'read',
    body: PatternsRequestSchema,
    bodyInvalid: 'query_invalid',
    answer: { kind: 'list', schema: EventPatternSchema, meta: PatternsMetaSchema },
    errors: ['query_invalid', 'source_not_found', 'connection_not_found', 'engine_unavailable', 'query_timeout'],
    handle: async ({ principal, body, signal }) => {
      const { patterns: data, meta } = await service.search(principal.tenantId, body, signal);
      return { kind: 'data', data, meta };
    },
  });
}
