import { FieldSchema, FieldsQuerySchema } from '../../../contract/completion.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { CompletionService } from '../completion-service.ts';

/** The columns of a source and the attribute keys of its recent rows. */
export function listSourceFields(completions: CompletionService): Operation {
  return operation({
    id: 'listSourceFields',
    method: 'GET',
    path: '/sources/:id/fields',
    flavours: ['selfHosted'],
    console: true,
    summary: 'List the fields of a source',
    tag: 'Sources',
    role: 'read',
    query: FieldsQuerySchema,
    answer: { kind: 'list', schema: FieldSchema },
    errors: ['request_invalid', 'query_invalid', 'source_not_found', 'connection_not_found', 'engine_unavailable'],
    handle: async ({ principal, params, query }) => ({
      kind: 'data',
      data: await completions.fields(principal.tenantId, params.id ?? '', query),
    }),
  });
}
