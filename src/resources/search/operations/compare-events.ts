import { AttributeDeltaSchema, DeltasMetaSchema, DeltasRequestSchema } from '../../../contract/deltas.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { DeltasService } from '../deltas-service.ts';

/** Which attributes differ most between a selection of events and the others. */
export function compareEvents(deltas: DeltasService): Operation {
  return operation({
    id: 'compareEvents',
    method: 'POST',
    path: '/search/deltas',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Compare events with the rest',
    tag: 'Search',
    role: 'read',
    body: DeltasRequestSchema,
    bodyInvalid: 'query_invalid',
    answer: { kind: 'list', schema: AttributeDeltaSchema, meta: DeltasMetaSchema },
    errors: ['query_invalid', 'source_not_found', 'connection_not_found', 'engine_unavailable', 'query_timeout'],
    handle: async ({ principal, body, signal }) => {
      const { deltas: data, meta } = await deltas.compare(principal.tenantId, body, signal);
      return { kind: 'data', data, meta };
    },
  });
}
