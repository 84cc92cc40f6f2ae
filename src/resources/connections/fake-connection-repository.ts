import type { Connection, ConnectionRepository } from './connection-repository.ts';

/** Connections in memory. `countSources` says how many sources point to one. */
export class FakeConnectionRepository implements ConnectionRepository {
  readonly #tenants = new Map<string, Map<string, Connection>>();
  readonly #countSources: (tenantId: string, id: string) => number;

  constructor(countSources: (tenantId: string, id: string) => number = () => 0) {
    this.#countSources = countSources;
  }

  async list(tenantId: string): Promise<Connection[]> {
    return [...this.#of(tenantId).values()];
  }

  async find(tenantId: string, id: string): Promise<Connection | undefined> {
    return this.#of(tenantId).get(id);
  }

  async insert(tenantId: string, connection: Connection): Promise<void> {
    this.#of(tenantId).set(connection.id, connection);
  }

  async replace(tenantId: string, connection: Connection): Promise<boolean> {
    if (!this.#of(tenantId).has(connection.id)) return false;
    this.#of(tenantId).set(connection.id, connection);
    return true;
  }

  async remove(tenantId: string, id: string): ReturnType<ConnectionRepository['remove']> {
    const sources = this.#countSources(tenantId, id);
    if (sources > 0) return { kind: 'inUse', sources };
    return { kind: this.#of(tenantId).delete(id) ? 'removed' : 'missing' };
  }

  #of(tenantId: string): Map<string, Connection> {
    const connections = this.#tenants.get(tenantId) ?? new Map<string, Connection>();
    this.#tenants.set(tenantId, connections);
    return connections;
  }
}
