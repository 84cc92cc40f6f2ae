import { type Operation, operation } from '../../../http/operation.ts';
import type { PipeLifecycle } from '../pipe-lifecycle.ts';

/** The pipe stops, and what it made at its source is removed; rows that it has written stay. */
export function deletePipe(pipes: PipeLifecycle): Operation {
  return operation({
    id: 'deletePipe',
    method: 'DELETE',
    path: '/pipes/:pipeId',
    flavours: ['managed'],
    summary: 'Delete a pipe',
    tag: 'Pipes',
    role: 'admin',
    beta: true,
    uuidParams: ['pipeId'],
    answer: { kind: 'none' },
    errors: ['request_invalid', 'forbidden', 'pipe_not_found'],
    handle: async ({ principal: { tenantId }, params }) => {
      await pipes.remove(tenantId, params.pipeId ?? '');
      return { kind: 'none' };
    },
  });
}
