import { PipeSchema } from '../../../contract/pipe.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { PipeService } from '../pipe-service.ts';
import { presentPipe } from '../present-pipe.ts';

/** seed §Get pipe (managed, beta); statuses: decisions P4. */
export function getPipe(pipes: PipeService): Operation {
  return operation({
    id: 'getPipe',
    method: 'GET',
    path: '/pipes/:pipeId',
    flavours: ['managed'],
    summary: 'Get a pipe',
    tag: 'Pipes',
    role: 'read',
    beta: true,
    uuidParams: ['pipeId'],
    answer: { kind: 'one', schema: PipeSchema },
    errors: ['request_invalid', 'forbidden', 'pipe_not_found'],
    handle: async ({ principal: { tenantId }, params }) => ({
      kind: 'data',
      data: presentPipe(tenantId, await pipes.get(tenantId, params.pipeId ?? '')),
    }),
  });
}
