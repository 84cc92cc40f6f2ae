import { PipeSchema } from '../../../contract/pipe.ts';
import { PipePatchSchema } from '../../../contract/pipe-input.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { PipeLifecycle } from '../pipe-lifecycle.ts';
import { presentPipe } from '../present-pipe.ts';

/** Changes the fields that it names; objects are merged, null removes. A pipe that runs continues with them. */
export function updatePipe(lifecycle: PipeLifecycle): Operation {
  return operation({
    id: 'updatePipe',
    method: 'PATCH',
    path: '/pipes/:pipeId',
    flavours: ['managed'],
    summary: 'Change a pipe',
    tag: 'Pipes',
    role: 'admin',
    beta: true,
    uuidParams: ['pipeId'],
    documentedBody: PipePatchSchema,
    answer: { kind: 'one', schema: PipeSchema },
    errors: ['request_invalid', 'forbidden', 'pipe_not_found', 'conflict'],
    handle: async ({ principal: { tenantId }, params, body }) => ({
      kind: 'data',
      data: presentPipe(tenantId, await lifecycle.patch(tenantId, params.pipeId ?? '', body)),
    }),
  });
}
