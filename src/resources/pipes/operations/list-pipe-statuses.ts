import { PipeSummarySchema } from '../../../contract/pipe-status.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { PipeService } from '../pipe-service.ts';
import { presentSummary } from '../present-status.ts';

/** Extension: how the pipes of a service are doing, in the order of the list of pipes. */
export function listPipeStatuses(pipes: PipeService): Operation {
  return operation({
    id: 'listPipeStatuses',
    method: 'GET',
    path: '/pipes/status',
    flavours: ['managed'],
    summary: 'List the states and totals of the pipes of a service',
    tag: 'Pipes',
    role: 'read',
    beta: true,
    answer: { kind: 'list', schema: PipeSummarySchema },
    errors: ['request_invalid', 'forbidden'],
    handle: async ({ principal: { tenantId } }) => ({
      kind: 'data',
      data: (await pipes.list(tenantId)).map(presentSummary),
    }),
  });
}
