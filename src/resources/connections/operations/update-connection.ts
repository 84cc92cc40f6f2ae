import { ConnectionInputSchema, ConnectionSchema } from '../../../contract/connection.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { ConnectionService } from '../connection-service.ts';
import { presentConnection } from '../present-connection.ts';

/** Replaces the record; an omitted or empty password is kept while the host stays. */
export function updateConnection(connections: ConnectionService): Operation {
  return operation({
    id: 'updateConnection',
    method: 'PUT',
    path: '/connections/:id',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Replace a connection',
    tag: 'Connections',
    role: 'admin',
    body: ConnectionInputSchema,
    answer: { kind: 'one', schema: ConnectionSchema },
    errors: ['request_invalid', 'connection_not_found', 'conflict'],
    precheck: async ({ principal, params }) => {
      await connections.get(principal.tenantId, params.id ?? '');
    },
    handle: async ({ principal, params, body }) => ({
      kind: 'data',
      data: presentConnection(await connections.replace(principal.tenantId, params.id ?? '', body)),
    }),
  });
}
