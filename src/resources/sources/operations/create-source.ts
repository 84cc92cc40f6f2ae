import { SourceInputSchema, SourceSchema } from '../../../contract/source.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { SourceService } from '../source-service.ts';

export function createSource(sources: SourceService): Operation {
  return operation({
    id: 'createSource',
    method: 'POST',
    path: '/sources',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Create a source',
    tag: 'Sources',
    role: 'admin',
    body: SourceInputSchema,
    answer: { kind: 'one', schema: SourceSchema },
    errors: ['request_invalid'],
    handle: async ({ principal, body }) => ({ kind: 'data', data: await sources.create(principal.tenantId, body) }),
  });
}
