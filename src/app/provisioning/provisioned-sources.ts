import { isDeepStrictEqual } from 'node:util';
import type { Tenant } from '../../access/tenants.ts';
import { type SourceInput, SourceInputSchema } from '../../contract/source.ts';
import { bodyCheck } from '../../http/schema-check.ts';
import { SourceService, type SourceServiceDeps } from '../../resources/sources/source-service.ts';
import { toSource } from '../../resources/sources/to-source.ts';
import type { ProvisionedKind } from './provisioning-ports.ts';
import { problemAtPath } from './provisioning-problem.ts';

export type ProvisionedSourcesDeps = SourceServiceDeps;

type Entry = { name: string; [field: string]: unknown };

const check = bodyCheck(SourceInputSchema);

/** Sources of the provisioning file, matched by name. */
export class ProvisionedSources implements ProvisionedKind<Entry> {
  readonly #deps: ProvisionedSourcesDeps;
  readonly #service: SourceService;

  constructor(deps: ProvisionedSourcesDeps) {
    this.#deps = deps;
    this.#service = new SourceService(deps);
  }

  async apply(tenant: Tenant, entry: Entry): Promise<void> {
    const input = await this.#complete(tenant, entry);
    const stored = (await this.#deps.sources.list(tenant.id)).find(({ name }) => name === input.name);
    if (!stored) await this.#service.create(tenant.id, input);
    else if (!isDeepStrictEqual(stored, toSource(stored.id, input))) {
      await this.#service.replace(tenant.id, stored.id, input);
    }
  }

  /** The id of the built-in connection can't be known beforehand: an omitted connection is the tenant's own. */
  async #complete(tenant: Tenant, entry: Entry): Promise<SourceInput> {
    const builtIn = (await this.#deps.connections.list(tenant.id)).find((connection) => connection.builtIn);
    const from = typeof entry.from === 'object' ? entry.from : {};
    const input: unknown = {
      connection: builtIn?.id,
      ...entry,
      from: { databaseName: tenant.telemetryDatabase, ...from },
    };
    const [problem] = check(input);
    if (problem) throw problemAtPath(problem);
    // `check` found it to be one.
    return input as SourceInput;
  }
}
