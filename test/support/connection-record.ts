import { randomIds } from '../../src/kernel/ids.ts';
import type { Connection } from '../../src/resources/connections/connection-repository.ts';

export function connectionOf(parts: Partial<Connection> = {}): Connection {
  return {
    id: randomIds.hex24(),
    name: 'Warehouse',
    host: 'http://clickhouse.example:8123',
    username: 'reader',
    builtIn: false,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...parts,
  };
}
