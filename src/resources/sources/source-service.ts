import type { TenantDirectory } from '../../access/tenants.ts';
import { AppError } from '../../contract/errors.ts';
import type { SourceInput } from '../../contract/source.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { ConnectionRepository } from '../connections/connection-repository.ts';
import { sourceFault } from './check-source.ts';
import type { Source } from './source.ts';
import type { SourceRepository } from './source-repository.ts';
import { toSource } from './to-source.ts';

export interface SourceServiceDependencies {
  sources: SourceRepository;
  connections: ConnectionRepository;
  tenants: TenantDirectory;
  ids: Ids;
}

/** The rules of sources (decisions S1; contract §5.1). Every method stays within one tenant. */
export class SourceService {
  readonly #sources: SourceRepository;
  readonly #connections: ConnectionRepository;
  readonly #tenants: TenantDirectory;
  readonly #ids: Ids;

  constructor({ sources, connections, tenants, ids }: SourceServiceDependencies) {
    this.#sources = sources;
    this.#connections = connections;
    this.#tenants = tenants;
    this.#ids = ids;
  }

  list(tenantId: string): Promise<Source[]> {
    return this.#sources.list(tenantId);
  }

  /** Throws `source_not_found`, also for another tenant's id (decisions F2). */
  async get(tenantId: string, id: string): Promise<Source> {
    const source = await this.#sources.find(tenantId, id);
    if (!source) throw new AppError('source_not_found');
    return source;
  }

  /** Throws `request_invalid` when the connection or the database is not the tenant's, or the filter is not SQL. */
  async create(tenantId: string, input: SourceInput): Promise<Source> {
    const source = await this.#checked(tenantId, toSource(this.#ids.hex24(), input));
    await this.#sources.insert(tenantId, source);
    return source;
  }

  /** Replaces the whole record; the kind may change. Throws `source_not_found`, `request_invalid`. */
  async replace(tenantId: string, id: string, input: SourceInput): Promise<Source> {
    await this.get(tenantId, id);
    const source = await this.#checked(tenantId, toSource(id, input));
    if (!(await this.#sources.replace(tenantId, source))) throw new AppError('source_not_found');
    return source;
  }

  async remove(tenantId: string, id: string): Promise<void> {
    if (!(await this.#sources.remove(tenantId, id))) throw new AppError('source_not_found');
  }

  async #checked(tenantId: string, source: Source): Promise<Source> {
    const tenant = await this.#tenants.find(tenantId);
    if (!tenant) throw new AppError('internal', { internal: `tenant ${tenantId} is gone` });
    const connection = await this.#connections.find(tenantId, source.connection);
    const fault = sourceFault(source, connection, tenant.telemetryDatabase);
    if (fault) throw new AppError('request_invalid', { public: fault });
    return source;
  }
}
