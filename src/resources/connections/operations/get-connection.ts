import { ConnectionSchema } from '../../../contract/connection.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { ConnectionService } from '../connection-service.ts';
import { presentConnection } from '../present-connection.ts';

export function getConnection(connections: ConnectionService): Operation {
  return operation({
    id: 'getConnection',
    method: 'GET',
    path: '/connections/:id',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Get a connection',
    tag: 'Connections',
    role: 'read',
    answer: { kind: 'one', schema: ConnectionSchema },
    errors: ['connection_not_found'],
    handle: async ({ principal, params }) => ({
      kind: 'data',
      data: presentConnection(await connections.get(principal.tenantId, params.id ?? '')),
    }),
  });
}
