import { isDeepStrictEqual } from 'node:util';
import type { Tenant } from '../../access/tenants.ts';
import { AppError } from '../../contract/errors.ts';
import type { SourceInput } from '../../contract/source.ts';
import type { SchemaCheck } from '../../http/operation.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { ConnectionRepository } from '../connections/connection-repository.ts';
import { sourceFault } from './check-source.ts';
import type { Source } from './source.ts';
import type { SourceRepository } from './source-repository.ts';
import { toSource } from './to-source.ts';

export interface SourceProvisionerDependencies {
  sources: SourceRepository;
  connections: ConnectionRepository;
  ids: Ids;
  /** Judges a body by `SourceInputSchema`. */
  check: SchemaCheck;
}

/** Sources of a provisioning file: matched by name, the id stays, the rest is reset to the file. */
export class SourceProvisioner {
  readonly #dependencies: SourceProvisionerDependencies;

  constructor(dependencies: SourceProvisionerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Throws `request_invalid` with path and reason. */
  async apply(tenant: Tenant, entry: { name: string }): Promise<undefined> {
    const { sources, connections, ids, check } = this.#dependencies;
    const own = await connections.list(tenant.id);
    const body = withOwnPlace(entry, own.find(({ builtIn }) => builtIn)?.id, tenant);
    const problem = check(body)[0];
    if (problem) throw new AppError('request_invalid', { public: `${problem.path}: ${problem.message}` });
    const stored = (await sources.list(tenant.id)).find(({ name }) => name === entry.name);
    const source = toSource(stored?.id ?? ids.hex24(), body as SourceInput);
    const connection = own.find(({ id }) => id === source.connection);
    const fault = sourceFault(source, connection, tenant.telemetryDatabase);
    if (fault) throw new AppError('request_invalid', { public: fault });
    await this.#save(tenant.id, source, stored);
  }

  async #save(tenantId: string, source: Source, stored: Source | undefined): Promise<void> {
    if (!stored) await this.#dependencies.sources.insert(tenantId, source);
    else if (!isDeepStrictEqual(stored, source)) await this.#dependencies.sources.replace(tenantId, source);
  }
}

/** A file need not name the built-in connection or the tenant's database: it cannot know them beforehand. */
function withOwnPlace(
  entry: { name: string; from?: unknown },
  connection: string | undefined,
  tenant: Tenant,
): unknown {
  const from = typeof entry.from === 'object' ? entry.from : {};
  const kind = 'kind' in entry ? entry.kind : undefined;
  return {
    ...(connection !== undefined && { connection }),
    ...entry,
    from: { databaseName: tenant.telemetryDatabase, ...(kind === 'metric' && { tableName: '' }), ...from },
  };
}
