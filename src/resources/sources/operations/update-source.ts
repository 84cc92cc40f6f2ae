import { SourceInputSchema, SourceSchema } from '../../../contract/source.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { SourceService } from '../source-service.ts';

/** Replaces the whole record. The source is looked for before the body is validated (decisions D2). */
export function updateSource(sources: SourceService): Operation {
  return operation({
    id: 'updateSource',
    method: 'PUT',
    path: '/sources/:id',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Replace a source',
    tag: 'Sources',
    role: 'admin',
    body: SourceInputSchema,
    answer: { kind: 'one', schema: SourceSchema },
    errors: ['request_invalid', 'source_not_found'],
    precheck: async ({ principal, params }) => {
      await sources.get(principal.tenantId, params.id ?? '');
    },
    handle: async ({ principal, params, body }) => ({
      kind: 'data',
      data: await sources.replace(principal.tenantId, params.id ?? '', body),
    }),
  });
}
