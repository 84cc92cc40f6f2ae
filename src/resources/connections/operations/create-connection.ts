import { ConnectionInputSchema, ConnectionSchema } from '../../../contract/connection.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { ConnectionService } from '../connection-service.ts';
import { presentConnection } from '../present-connection.ts';

export function createConnection(connections: ConnectionService): Operation {
  return operation({
    id: 'createConnection',
    method: 'POST',
    path: '/connections',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Create a connection',
    tag: 'Connections',
    role: 'admin',
    body: ConnectionInputSchema,
    answer: { kind: 'one', schema: ConnectionSchema },
    errors: ['request_invalid'],
    handle: async ({ principal, body }) => ({
      kind: 'data',
      data: presentConnection(await connections.create(principal.tenantId, body)),
    }),
  });
}
