import { type Operation, operation } from '../../../http/operation.ts';
import type { SourceService } from '../source-service.ts';

export function deleteSource(sources: SourceService): Operation {
  return operation({
    id: 'deleteSource',
    method: 'DELETE',
    path: '/sources/:id',
    flavours: ['selfHosted'],
    summary: 'Delete a source',
    tag: 'Sources',
    role: 'admin',
    answer: { kind: 'none' },
    errors: ['source_not_found'],
    handle: async ({ principal, params }) => {
      await sources.remove(principal.tenantId, params.id ?? '');
      return { kind: 'none' };
    },
  });
}
