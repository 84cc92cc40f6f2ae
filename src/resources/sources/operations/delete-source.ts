import { RemovalQuerySchema } from '../../../contract/removal.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { SourceService } from '../source-service.ts';

export function deleteSource(sources: SourceService): Operation {
  return operation({
    id: 'deleteSource',
    method: 'DELETE',
    path: '/sources/:id',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Delete a source',
    tag: 'Sources',
    role: 'admin',
    query: RemovalQuerySchema,
    answer: { kind: 'none' },
    errors: ['source_not_found', 'request_invalid', 'conflict'],
    handle: async ({ principal, params, query }) => {
      const { force = false } = query;
      await sources.remove(principal.tenantId, params.id ?? '', { force });
      return { kind: 'none' };
    },
  });
}
