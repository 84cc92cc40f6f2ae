import { SourceSchema } from '../../../contract/source.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { SourceService } from '../source-service.ts';

/** seed §Sources and webhooks: listed in both flavours; not paged (contract §5.1). */
export function listSources(sources: SourceService): Operation {
  return operation({
    id: 'listSources',
    method: 'GET',
    path: '/sources',
    flavours: ['selfHosted', 'managed'],
    summary: 'List sources',
    tag: 'Sources',
    role: 'read',
    answer: { kind: 'list', schema: SourceSchema },
    errors: [],
    handle: async ({ principal }) => ({ kind: 'data', data: await sources.list(principal.tenantId) }),
  });
}
