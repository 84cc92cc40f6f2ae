import { type Operation, operation } from '../../../http/operation.ts';
import type { SilenceService } from '../silence-service.ts';

/** What has started to fire meanwhile is notified with the next window. */
export function deleteSilence(silences: SilenceService): Operation {
  return operation({
    id: 'deleteSilence',
    method: 'DELETE',
    path: '/silences/:id',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Delete a silence',
    tag: 'Silences',
    role: 'admin',
    answer: { kind: 'none' },
    errors: ['silence_not_found'],
    handle: async ({ principal, params }) => {
      await silences.remove(principal.tenantId, params.id ?? '');
      return { kind: 'none' };
    },
  });
}
