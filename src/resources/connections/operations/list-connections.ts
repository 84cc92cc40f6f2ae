import { ConnectionSchema } from '../../../contract/connection.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { ConnectionService } from '../connection-service.ts';
import { presentConnection } from '../present-connection.ts';

export function listConnections(connections: ConnectionService): Operation {
  return operation({
    id: 'listConnections',
    method: 'GET',
    path: '/connections',
    flavours: ['selfHosted'],
    console: true,
    summary: 'List connections',
    tag: 'Connections',
    role: 'read',
    answer: { kind: 'list', schema: ConnectionSchema },
    errors: [],
    handle: async ({ principal }) => ({
      kind: 'data',
      data: (await connections.list(principal.tenantId)).map(presentConnection),
    }),
  });
}
