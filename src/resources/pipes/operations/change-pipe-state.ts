import { PipeSchema } from '../../../contract/pipe.ts';
import { PipeCommandSchema } from '../../../contract/pipe-status.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { PipeLifecycle } from '../pipe-lifecycle.ts';
import { presentPipe } from '../present-pipe.ts';

/** Answers with the state that the command leads to first; poll for what follows. */
export function changePipeState(lifecycle: PipeLifecycle): Operation {
  return operation({
    id: 'changePipeState',
    method: 'PATCH',
    path: '/pipes/:pipeId/state',
    flavours: ['managed'],
    summary: 'Start, stop or resync a pipe',
    tag: 'Pipes',
    role: 'admin',
    beta: true,
    uuidParams: ['pipeId'],
    body: PipeCommandSchema,
    answer: { kind: 'one', schema: PipeSchema },
    errors: ['request_invalid', 'forbidden', 'pipe_not_found', 'conflict'],
    handle: async ({ principal: { tenantId }, params, body: { command } }) => ({
      kind: 'data',
      // The schema has no other commands.
      data: presentPipe(tenantId, await lifecycle.command(tenantId, params.pipeId ?? '', command as 'start')),
    }),
  });
}
