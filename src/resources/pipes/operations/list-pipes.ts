import { PipeSchema } from '../../../contract/pipe.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { PipeService } from '../pipe-service.ts';
import { presentPipe } from '../present-pipe.ts';

/** Beyond the seed, for the web UI; each pipe as `getPipe` shows it. */
export function listPipes(pipes: PipeService): Operation {
  return operation({
    id: 'listPipes',
    method: 'GET',
    path: '/pipes',
    flavours: ['managed'],
    summary: 'List the pipes of a service',
    tag: 'Pipes',
    role: 'read',
    beta: true,
    answer: { kind: 'list', schema: PipeSchema },
    errors: ['request_invalid', 'forbidden'],
    handle: async ({ principal: { tenantId } }) => ({
      kind: 'data',
      data: (await pipes.list(tenantId)).map((pipe) => presentPipe(tenantId, pipe)),
    }),
  });
}
