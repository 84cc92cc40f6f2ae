import { PageQuerySchema } from '../../../contract/pagination.ts';
import { SilenceSchema } from '../../../contract/silence.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { SilenceService } from '../silence-service.ts';

/** Extension. Self-hosted only, as nothing in the seed's table offers them elsewhere (decisions F3). */
export function listSilences(silences: SilenceService): Operation {
  return operation({
    id: 'listSilences',
    method: 'GET',
    path: '/silences',
    flavours: ['selfHosted'],
    console: true,
    summary: 'List silences',
    tag: 'Silences',
    role: 'read',
    query: PageQuerySchema,
    answer: { kind: 'list', schema: SilenceSchema, paged: true },
    errors: ['request_invalid'],
    handle: async ({ principal: { tenantId }, query }) => {
      const listed = await silences.list(tenantId, query);
      return { kind: 'data', data: listed.silences, page: listed.page };
    },
  });
}
