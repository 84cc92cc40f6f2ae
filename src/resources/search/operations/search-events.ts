import { SearchAnswerSchema, SearchRequestSchema } from '../../../contract/search.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { SearchService } from '../search-service.ts';

/** contract §7. Self-hosted, the answer has `rows` and `meta` beside `data` and no other envelope. */
export function searchEvents(events: SearchService): Operation {
  return operation({
    id: 'searchEvents',
    method: 'POST',
    path: '/search',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Search events of a log or trace source',
    tag: 'Search',
    role: 'read',
    body: SearchRequestSchema,
    bodyInvalid: 'query_invalid',
    answer: { kind: 'one', schema: SearchAnswerSchema, bare: true },
    errors: ['query_invalid', 'source_not_found', 'connection_not_found', 'engine_unavailable', 'query_timeout'],
    handle: async ({ principal, body, signal }) => ({
      kind: 'data',
      data: await events.search(principal.tenantId, body, signal),
    }),
  });
}
