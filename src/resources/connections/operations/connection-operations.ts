import type { Operation } from '../../../http/operation.ts';
import type { ConnectionService } from '../connection-service.ts';
import { createConnection } from './create-connection.ts';
import { deleteConnection } from './delete-connection.ts';
import { getConnection } from './get-connection.ts';
import { listConnections } from './list-connections.ts';
import { updateConnection } from './update-connection.ts';

/** Every operation on connections. */
export function connectionOperations(connections: ConnectionService): Operation[] {
  return [
    listConnections(connections),
    createConnection(connections),
    getConnection(connections),
    updateConnection(connections),
    deleteConnection(connections),
  ];
}
