import { PipeCheckInputSchema, PipeCheckSchema } from '../../../contract/pipe-check.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { PipeLifecycle } from '../pipe-lifecycle.ts';

/** Extension: tests the connection to a source and lists what it has, before a pipe is made. Nothing is stored. */
export function checkPipeSource(lifecycle: PipeLifecycle): Operation {
  return operation({
    id: 'checkPipeSource',
    method: 'POST',
    path: '/pipes/check',
    flavours: ['managed'],
    summary: 'Test a source of pipes and list what it has',
    tag: 'Pipes',
    role: 'admin',
    beta: true,
    documentedBody: PipeCheckInputSchema,
    answer: { kind: 'one', schema: PipeCheckSchema },
    errors: ['request_invalid', 'forbidden'],
    handle: async ({ principal: { tenantId }, body }) => ({
      kind: 'data',
      data: await lifecycle.check(tenantId, body),
    }),
  });
}
