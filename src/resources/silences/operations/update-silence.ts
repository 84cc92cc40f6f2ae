import { SilenceInputSchema, SilenceSchema } from '../../../contract/silence.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { SilenceService } from '../silence-service.ts';

/** Replaces the record, which is looked for before the body is validated (decisions D2). */
export function updateSilence(silences: SilenceService): Operation {
  return operation({
    id: 'updateSilence',
    method: 'PUT',
    path: '/silences/:id',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Replace a silence',
    tag: 'Silences',
    role: 'admin',
    body: SilenceInputSchema,
    answer: { kind: 'one', schema: SilenceSchema },
    errors: ['request_invalid', 'silence_not_found'],
    precheck: async ({ principal, params }) => {
      await silences.get(principal.tenantId, params.id ?? '');
    },
    handle: async ({ principal, params, body }) => ({
      kind: 'data',
      data: await silences.replace(principal.tenantId, params.id ?? '', body),
    }),
  });
}
