import { ownDatabases } from '../../access/telemetry-database.ts';
import type { TenantDirectory } from '../../access/tenants.ts';
import { AppError } from '../../contract/errors.ts';
import { type InUseBy, inUseText } from '../../contract/in-use.ts';
import type { SourceInput } from '../../contract/source.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { ConnectionRepository } from '../connections/connection-repository.ts';
import type { ReferenceUsers } from '../connections/reference-users.ts';
import { sourceProblem } from './check-source.ts';
import type { Source } from './source.ts';
import type { SourceRepository } from './source-repository.ts';
import { toSource } from './to-source.ts';

export interface SourceServiceDeps {
  sources: SourceRepository;
  connections: ConnectionRepository;
  users: ReferenceUsers;
  tenants: TenantDirectory;
  ids: Ids;
}

/** The rules of sources (decisions S1; contract §5.1). Every method stays within one tenant. */
export class SourceService {
  readonly #sources: SourceRepository;
  readonly #connections: ConnectionRepository;
  readonly #users: ReferenceUsers;
  readonly #tenants: TenantDirectory;
  readonly #ids: Ids;

  constructor({ sources, connections, users, tenants, ids }: SourceServiceDeps) {
    this.#sources = sources;
    this.#connections = connections;
    this.#users = users;
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

  /**
   * References to it remain and fail when read. Throws `source_not_found` and, without `force`, `conflict`
   * while tiles, filters or saved searches use it.
   */
  async remove(tenantId: string, id: string, { force } = { force: false }): Promise<void> {
    await this.get(tenantId, id);
    const users = force ? [] : await this.#users.usersOf(tenantId, { kind: 'source', id });
    if (users.length > 0) throw inUse(users);
    if (!(await this.#sources.remove(tenantId, id))) throw new AppError('source_not_found');
  }

  async #checked(tenantId: string, source: Source): Promise<Source> {
    const tenant = await this.#tenants.find(tenantId);
    if (!tenant) throw new AppError('internal', { internal: `tenant ${tenantId} is gone` });
    const connection = await this.#connections.find(tenantId, source.connection);
    const problem = sourceProblem(source, connection, ownDatabases(tenant));
    if (problem) throw new AppError('request_invalid', { public: problem });
    return source;
  }
}

function inUse(users: readonly InUseBy[]): AppError {
  const text = `The source is in use by ${inUseText(users)}. Change or delete these first; ?force=true deletes the source anyway.`;
  return new AppError('conflict', { public: text });
}
