import { SilenceSchema } from '../../../contract/silence.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { SilenceService } from '../silence-service.ts';

export function getSilence(silences: SilenceService): Operation {
  return operation({
    id: 'getSilence',
    method: 'GET',
    path: '/silences/:id',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Get a silence',
    tag: 'Silences',
    role: 'read',
    answer: { kind: 'one', schema: SilenceSchema },
    errors: ['silence_not_found'],
    handle: async ({ principal, params }) => ({
      kind: 'data',
      data: await silences.get(principal.tenantId, params.id ?? ''),
    }),
  });
}
