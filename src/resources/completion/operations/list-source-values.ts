import { FieldValueSchema, ValuesQuerySchema } from '../../../contract/completion.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { CompletionService } from '../completion-service.ts';

/** Values that a field has in recent rows, the most frequent first. */
export function listSourceValues(completions: CompletionService): Operation {
  return operation({
    id: 'listSourceValues',
    method: 'GET',
    path: '/sources/:id/values',
    flavours: ['selfHosted'],
    console: true,
    summary: 'List values of a field',
    tag: 'Sources',
    role: 'read',
    query: ValuesQuerySchema,
    answer: { kind: 'list', schema: FieldValueSchema },
    errors: ['request_invalid', 'query_invalid', 'source_not_found', 'connection_not_found', 'engine_unavailable'],
    handle: async ({ principal, params, query, signal }) => ({
      kind: 'data',
      data: await completions.values(principal.tenantId, params.id ?? '', query, signal),
    }),
  });
}
