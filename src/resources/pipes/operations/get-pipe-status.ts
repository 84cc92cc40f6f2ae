import { PipeStatusSchema } from '../../../contract/pipe-status.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { PipeLifecycle } from '../pipe-lifecycle.ts';
import { presentStatus } from '../present-status.ts';

/** Extension: how a pipe is doing, with the reason of its state, what it has moved, and the history. */
export function getPipeStatus(lifecycle: PipeLifecycle): Operation {
  return operation({
    id: 'getPipeStatus',
    method: 'GET',
    path: '/pipes/:pipeId/status',
    flavours: ['managed'],
    summary: 'Get the state, progress and history of a pipe',
    tag: 'Pipes',
    role: 'read',
    beta: true,
    uuidParams: ['pipeId'],
    answer: { kind: 'one', schema: PipeStatusSchema },
    errors: ['request_invalid', 'forbidden', 'pipe_not_found'],
    handle: async ({ principal: { tenantId }, params }) => {
      const { pipe, changes } = await lifecycle.status(tenantId, params.pipeId ?? '');
      return { kind: 'data', data: presentStatus(pipe, changes) };
    },
  });
}
