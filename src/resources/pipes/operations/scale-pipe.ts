import { PipeSchema } from '../../../contract/pipe.ts';
import { PipeScalingInputSchema } from '../../../contract/pipe-input.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { PipeLifecycle } from '../pipe-lifecycle.ts';
import { presentPipe } from '../present-pipe.ts';

export function scalePipe(lifecycle: PipeLifecycle): Operation {
  return operation({
    id: 'scalePipe',
    method: 'PATCH',
    path: '/pipes/:pipeId/scaling',
    flavours: ['managed'],
    summary: 'Change the scaling of a pipe',
    tag: 'Pipes',
    role: 'admin',
    beta: true,
    uuidParams: ['pipeId'],
    documentedBody: PipeScalingInputSchema,
    answer: { kind: 'one', schema: PipeSchema },
    errors: ['request_invalid', 'forbidden', 'pipe_not_found', 'conflict'],
    handle: async ({ principal: { tenantId }, params, body }) => ({
      kind: 'data',
      data: presentPipe(tenantId, await lifecycle.scale(tenantId, params.pipeId ?? '', body)),
    }),
  });
}
