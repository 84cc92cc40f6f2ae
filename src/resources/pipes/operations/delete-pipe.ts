import { type Operation, operation } from '../../../http/operation.ts';
import type { PipeService } from '../pipe-service.ts';

/** The pipe stops; rows that it has written stay. */
export function deletePipe(pipes: PipeService): Operation {
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
