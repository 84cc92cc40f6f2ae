import type { Connection, ConnectionRemoval, ConnectionRepository } from './connection-repository.ts';

interface NamedSource {
  id: string;
  name: string;
}

/** Connections in memory. `sourcesOf` says which sources point to one. */
export class FakeConnectionRepository implements ConnectionRepository {
  readonly #tenants = new Map<string, Map<string, Connection>>();
  readonly #sourcesOf: (tenantId: string, id: string) => NamedSource[];

  constructor(sourcesOf: (tenantId: string, id: string) => NamedSource[] = () => []) {
    this.#sourcesOf = sourcesOf;
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

  async remove(tenantId: string, id: string, { force } = { force: false }): Promise<ConnectionRemoval> {
    const sources = this.#sourcesOf(tenantId, id);
    if (sources.length > 0 && !force) return { kind: 'inUse', sources };
    if (!this.#of(tenantId).delete(id)) return { kind: 'missing' };
    return { kind: 'removed', sources: sources.map((source) => source.id) };
  }

  #of(tenantId: string): Map<string, Connection> {
    const connections = this.#tenants.get(tenantId) ?? new Map<string, Connection>();
    this.#tenants.set(tenantId, connections);
    return connections;
  }
}
