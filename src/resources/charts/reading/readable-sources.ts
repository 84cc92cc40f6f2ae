import { ownDatabases } from '../../../access/telemetry-database.ts';
import type { TenantDirectory } from '../../../access/tenants.ts';
import { AppError } from '../../../contract/errors.ts';
import { onceEach } from '../../../kernel/once-each.ts';
import type { ConnectionRepository } from '../../connections/connection-repository.ts';
import { foreignDatabase } from '../../sources/check-source.ts';
import type { Source } from '../../sources/source.ts';
import type { SourceRepository } from '../../sources/source-repository.ts';
import type { ConnectionEngine, RunnerForConnection } from './connection-engine.ts';

export interface ReadableSourcesDeps {
  sources: Pick<SourceRepository, 'find'>;
  connections: Pick<ConnectionRepository, 'find'>;
  tenants: Pick<TenantDirectory, 'find'>;
  /** The program's own telemetry store. */
  store: ConnectionEngine;
  remote: RunnerForConnection;
}

/** Finds the sources of a tenant and the database that each may be read from. */
export class ReadableSources {
  readonly #deps: ReadableSourcesDeps;

  constructor(deps: ReadableSourcesDeps) {
    this.#deps = deps;
  }

  /** The same for one piece of work: looks everything up once. */
  remembering(): ReadableSources {
    const { sources, connections, tenants } = this.#deps;
    return new ReadableSources({
      ...this.#deps,
      sources: { find: onceEach((...parts) => sources.find(...parts)) },
      connections: { find: onceEach((...parts) => connections.find(...parts)) },
      tenants: { find: onceEach((...parts) => tenants.find(...parts)) },
    });
  }

  /**
   * The sources of these series, by id. Throws `source_not_found` naming the first series without one; another tenant's
   * source looks like a missing one (decisions F2).
   */
  async find(tenantId: string, series: readonly { sourceId: string }[]): Promise<Map<string, Source>> {
    const found = new Map<string, Source>();
    for (const [index, { sourceId }] of series.entries()) {
      if (found.has(sourceId)) continue;
      const source = await this.#deps.sources.find(tenantId, sourceId);
      if (!source) throw new AppError('source_not_found', { public: `Source not found for series ${index}` });
      found.set(sourceId, source);
    }
    return found;
  }

  /** Throws `source_not_found`, also for another tenant's id (decisions F2). */
  async get(tenantId: string, id: string): Promise<Source> {
    const source = await this.#deps.sources.find(tenantId, id);
    if (!source) throw new AppError('source_not_found');
    return source;
  }

  /**
   * Where the source is read. The built-in store is opened for the tenant's own database only, whatever the stored
   * source says. Throws `connection_not_found`, `query_invalid`.
   */
  async engineOf(tenantId: string, source: Source): Promise<ConnectionEngine> {
    const { connections, store, remote } = this.#deps;
    const connection = await connections.find(tenantId, source.connection);
    if (!connection) {
      throw new AppError('connection_not_found', {
        public: `The connection of the source "${source.name}" no longer exists.`,
      });
    }
    if (!connection.builtIn) return remote.open(connection);
    await this.#checkDatabase(tenantId, source);
    return store;
  }

  /**
   * A connection alone, and the databases of the tenant there; of a connection that a user made, none are listed:
   * the rights of its user decide. Throws `connection_not_found`, also for another tenant's id (decisions F2).
   */
  async engineOfConnection(
    tenantId: string,
    id: string,
  ): Promise<{ engine: ConnectionEngine; name: string; databases?: readonly string[] }> {
    const { connections, tenants, store, remote } = this.#deps;
    const connection = await connections.find(tenantId, id);
    if (!connection) throw new AppError('connection_not_found');
    const { name } = connection;
    if (!connection.builtIn) return { engine: await remote.open(connection), name };
    const tenant = await tenants.find(tenantId);
    return { engine: store, name, databases: tenant ? ownDatabases(tenant) : [] };
  }

  async #checkDatabase(tenantId: string, source: Source): Promise<void> {
    const tenant = await this.#deps.tenants.find(tenantId);
    if (tenant && !foreignDatabase(source, ownDatabases(tenant))) return;
    throw new AppError('query_invalid', {
      public: `The source "${source.name}" names a database that the built-in connection does not read.`,
    });
  }
}
