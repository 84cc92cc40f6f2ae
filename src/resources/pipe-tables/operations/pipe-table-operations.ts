import { PipeErrorSchema, PipeErrorsQuerySchema } from '../../../contract/pipe-errors.ts';
import {
  PipeSourceInputSchema,
  PipeSourceProposalSchema,
  PipeSourceQuerySchema,
} from '../../../contract/pipe-source.ts';
import { SourceSchema } from '../../../contract/source.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { PipeTableService } from '../pipe-table-service.ts';

const common = { flavours: ['managed'], tag: 'Pipes', beta: true, uuidParams: ['pipeId'] } as const;
const reading = ['request_invalid', 'forbidden', 'pipe_not_found', 'query_timeout', 'engine_unavailable'] as const;

/** Extensions: what is in the tables of pipes that do not fit, and sources over them. */
export function pipeTableOperations(tables: PipeTableService): Operation[] {
  return [listPipeErrors(tables), proposePipeSource(tables), createPipeSource(tables)];
}

function listPipeErrors(tables: PipeTableService): Operation {
  return operation({
    ...common,
    id: 'listPipeErrors',
    method: 'GET',
    path: '/pipes/:pipeId/errors',
    summary: 'List the latest records of a pipe that did not fit',
    role: 'read',
    query: PipeErrorsQuerySchema,
    answer: { kind: 'list', schema: PipeErrorSchema },
    errors: reading,
    handle: async ({ principal: { tenantId }, params, query: { limit }, signal }) => ({
      kind: 'data',
      data: await tables.errors(tenantId, params.pipeId ?? '', { limit, signal }),
    }),
  });
}

function proposePipeSource(tables: PipeTableService): Operation {
  return operation({
    ...common,
    id: 'proposePipeSource',
    method: 'GET',
    path: '/pipes/:pipeId/source',
    summary: 'Propose a source over a table of a pipe, by its columns',
    role: 'read',
    query: PipeSourceQuerySchema,
    answer: { kind: 'one', schema: PipeSourceProposalSchema },
    errors: reading,
    handle: async ({ principal: { tenantId }, params, query: { table } }) => ({
      kind: 'data',
      data: await tables.proposeSource(tenantId, params.pipeId ?? '', table),
    }),
  });
}

function createPipeSource(tables: PipeTableService): Operation {
  return operation({
    ...common,
    id: 'createPipeSource',
    method: 'POST',
    path: '/pipes/:pipeId/source',
    summary: 'Create a source over a table of a pipe',
    role: 'admin',
    documentedBody: PipeSourceInputSchema,
    answer: { kind: 'one', schema: SourceSchema },
    errors: reading,
    handle: async ({ principal: { tenantId }, params, body }) => ({
      kind: 'data',
      data: await tables.createSource(tenantId, params.pipeId ?? '', body),
    }),
  });
}
