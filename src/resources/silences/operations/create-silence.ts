import { SilenceInputSchema, SilenceSchema } from '../../../contract/silence.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { SilenceService } from '../silence-service.ts';

/** Extension. For once, or a maintenance window that recurs. */
export function createSilence(silences: SilenceService): Operation {
  return operation({
    id: 'createSilence',
    method: 'POST',
    path: '/silences',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Create a silence',
    tag: 'Silences',
    role: 'admin',
    body: SilenceInputSchema,
    answer: { kind: 'one', schema: SilenceSchema },
    errors: ['request_invalid'],
    handle: async ({ principal: { tenantId, userId, keyId }, body }) => ({
      kind: 'data',
      data: await silences.create(tenantId, userId ?? keyId, body),
    }),
  });
}
