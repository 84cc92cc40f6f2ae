import { PipeSchema } from '../../../contract/pipe.ts';
import { NewPipeSchema } from '../../../contract/pipe-input.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { PipeLifecycle } from '../pipe-lifecycle.ts';
import { presentPipe } from '../present-pipe.ts';

/** As managed clients send it; secrets are accepted and never returned. */
export function createPipe(lifecycle: PipeLifecycle): Operation {
  return operation({
    id: 'createPipe',
    method: 'POST',
    path: '/pipes',
    flavours: ['managed'],
    summary: 'Create a pipe',
    tag: 'Pipes',
    role: 'admin',
    beta: true,
    documentedBody: NewPipeSchema,
    answer: { kind: 'one', schema: PipeSchema },
    errors: ['request_invalid', 'forbidden', 'conflict'],
    handle: async ({ principal: { tenantId }, body }) => ({
      kind: 'data',
      data: presentPipe(tenantId, await lifecycle.create(tenantId, body)),
    }),
  });
}
