import type { Tenant } from '../../access/tenants.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import { builtInConnection } from '../connections/built-in-connection.ts';
import type { ConnectionRepository } from '../connections/connection-repository.ts';
import { defaultSources } from './default-sources.ts';
import type { SourceRepository } from './source-repository.ts';

export interface TenantDefaultsDeps {
  sources: SourceRepository;
  connections: ConnectionRepository;
  ids: Ids;
  clock: Clock;
}

/** What a tenant has from the start: the built-in connection, and Logs, Traces and Metrics over it (decisions S1). */
export class TenantDefaults {
  readonly #deps: TenantDefaultsDeps;

  constructor(deps: TenantDefaultsDeps) {
    this.#deps = deps;
  }

  /** Adds only what is missing, so that a start which was interrupted is completed by the next one. */
  async createDefaults(tenant: Tenant): Promise<void> {
    const connectionId = await this.ensureBuiltInConnection(tenant);
    const { sources, ids } = this.#deps;
    if ((await sources.list(tenant.id)).length > 0) return;
    const home = { connectionId, database: tenant.telemetryDatabase };
    for (const source of defaultSources({ logs: ids.hex24(), traces: ids.hex24(), metrics: ids.hex24() }, home)) {
      await sources.insert(tenant.id, source);
    }
  }

  /** Id of the tenant's built-in connection, made when there is none. */
  async ensureBuiltInConnection(tenant: Tenant): Promise<string> {
    const { connections, ids, clock } = this.#deps;
    const existing = (await connections.list(tenant.id)).find(({ builtIn }) => builtIn);
    if (existing) return existing.id;
    const connection = builtInConnection(ids.hex24(), clock);
    await connections.insert(tenant.id, connection);
    return connection.id;
  }
}
