import { SourceSchema } from '../../../contract/source.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { SourceService } from '../source-service.ts';

export function getSource(sources: SourceService): Operation {
  return operation({
    id: 'getSource',
    method: 'GET',
    path: '/sources/:id',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Get a source',
    tag: 'Sources',
    role: 'read',
    answer: { kind: 'one', schema: SourceSchema },
    errors: ['source_not_found'],
    handle: async ({ principal, params }) => ({
      kind: 'data',
      data: await sources.get(principal.tenantId, params.id ?? ''),
    }),
  });
}
