import { PipeCheckInputSchema } from '../../../contract/pipe-check.ts';
import { PipeSchemaSchema } from '../../../contract/pipe-schema.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { PipeSchemaService } from '../pipe-schema-service.ts';

/** As clients of the managed product ask for the fields of a source before they make a pipe. */
export function discoverPipeSchema(schemas: PipeSchemaService): Operation {
  return operation({
    id: 'discoverPipeSchema',
    method: 'POST',
    path: '/pipes/schemaDiscovery',
    flavours: ['managed'],
    tag: 'Pipes',
    beta: true,
    summary: 'List the fields of the records of a source',
    role: 'admin',
    documentedBody: PipeCheckInputSchema,
    answer: { kind: 'one', schema: PipeSchemaSchema },
    errors: ['request_invalid', 'forbidden', 'query_timeout', 'engine_unavailable'],
    handle: async ({ principal: { tenantId }, body, signal }) => ({
      kind: 'data',
      data: await schemas.discover(tenantId, body, signal),
    }),
  });
}
