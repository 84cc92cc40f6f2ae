import { RemovalMetaSchema } from '../../../contract/envelope.ts';
import { RemovalQuerySchema } from '../../../contract/removal.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { ConnectionService } from '../connection-service.ts';

export function deleteConnection(connections: ConnectionService): Operation {
  return operation({
    id: 'deleteConnection',
    method: 'DELETE',
    path: '/connections/:id',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Delete a connection',
    tag: 'Connections',
    role: 'admin',
    query: RemovalQuerySchema,
    answer: { kind: 'none', meta: RemovalMetaSchema },
    errors: ['connection_not_found', 'request_invalid', 'conflict'],
    handle: async ({ principal, params, query }) => {
      const { force = false } = query;
      const deletedSources = await connections.remove(principal.tenantId, params.id ?? '', { force });
      return { kind: 'none', ...(deletedSources.length > 0 && { meta: { deletedSources } }) };
    },
  });
}
