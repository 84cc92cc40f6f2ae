import { type Operation, operation } from '../../../http/operation.ts';
import type { ConnectionService } from '../connection-service.ts';

export function deleteConnection(connections: ConnectionService): Operation {
  return operation({
    id: 'deleteConnection',
    method: 'DELETE',
    path: '/connections/:id',
    flavours: ['selfHosted'],
    summary: 'Delete a connection',
    tag: 'Connections',
    role: 'admin',
    answer: { kind: 'none' },
    errors: ['connection_not_found', 'conflict'],
    handle: async ({ principal, params }) => {
      await connections.remove(principal.tenantId, params.id ?? '');
      return { kind: 'none' };
    },
  });
}
