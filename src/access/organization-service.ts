import type { IdentityStore, Organization } from './identity-repository.ts';
import { createKey, type KeyMakerDeps, type KeyTerms, type NewKey } from './key-service.ts';
import { telemetryDatabaseOf } from './telemetry-database.ts';
import type { TenantTransactions } from './tenant-transactions.ts';
import type { Tenant } from './tenants.ts';

/** What kept a change of an organization or service from being made; the message is for the person who asked. */
export class OrganizationError extends Error {
  readonly reason: 'organizationMissing' | 'serviceMissing' | 'nameInvalid';

  constructor(reason: OrganizationError['reason'], message: string) {
    super(message);
    this.name = 'OrganizationError';
    this.reason = reason;
  }
}

export interface OrganizationServiceDeps extends KeyMakerDeps {
  identities: IdentityStore;
  transactions: TenantTransactions;
  /** Telemetry database of the first tenant of the store (decisions S2). */
  firstDatabase: string;
}

export interface CloudKeyTerms extends KeyTerms {
  /** Services that the key may reach; absent = all of its organization, also those to come. */
  serviceIds?: readonly string[];
}

const nameCharsMax = 256;

/**
 * Organizations, their services and the making of their cloud keys: the managed flavour's tenancy (decisions F2, K1).
 */
export class OrganizationService {
  readonly #deps: OrganizationServiceDeps;

  constructor(deps: OrganizationServiceDeps) {
    this.#deps = deps;
  }

  /** By creation. */
  list(): Promise<Organization[]> {
    return this.#deps.identities.listOrganizations();
  }

  /** Names may repeat; the id distinguishes organizations. @throws {OrganizationError} `nameInvalid` */
  async create(name: string): Promise<Organization> {
    const organization = { id: this.#deps.ids.uuid(), name: checkName('an organization', name) };
    await this.#deps.identities.saveOrganization(organization, this.#deps.clock.nowMs());
    return organization;
  }

  /** @throws {OrganizationError} */
  async rename(id: string, name: string): Promise<Organization> {
    const organization = { id, name: checkName('an organization', name) };
    return this.#deps.transactions.transaction(async ({ identities }) => {
      await requireOrganization(identities, id);
      await identities.saveOrganization(organization, this.#deps.clock.nowMs());
      return organization;
    });
  }

  /** Services of one organization, or of all of them, by creation. */
  async listServices(organizationId?: string): Promise<Tenant[]> {
    const tenants = await this.#deps.identities.listTenants();
    return tenants.filter(
      (tenant) =>
        tenant.kind === 'service' && (organizationId === undefined || tenant.organizationId === organizationId),
    );
  }

  /** A new service with its telemetry database, built-in connection and default sources. @throws {OrganizationError} */
  async createService(organizationId: string, text: string): Promise<Tenant> {
    const { ids, clock, firstDatabase, transactions } = this.#deps;
    const name = checkName('a service', text);
    return transactions.transaction(async ({ identities, defaults }) => {
      await requireOrganization(identities, organizationId);
      const id = ids.uuid();
      const telemetryDatabase = telemetryDatabaseOf(id, { tenants: await identities.countTenants(), firstDatabase });
      const service: Tenant = { id, kind: 'service', name, organizationId, telemetryDatabase };
      if ((await identities.insertTenant(service, clock.nowMs())) === 'taken') {
        throw new Error('a new service has the id or the telemetry database of another one');
      }
      await defaults.createDefaults(service);
      return service;
    });
  }

  /** Names of services may repeat. @throws {OrganizationError} */
  async renameService(id: string, text: string): Promise<Tenant> {
    const name = checkName('a service', text);
    return this.#deps.transactions.transaction(async ({ identities }) => {
      const service = await identities.findTenant(id);
      if (service?.kind !== 'service') throw serviceMissing(id);
      await identities.renameTenant(id, name);
      return { ...service, name };
    });
  }

  /** A cloud key, which can be limited only to services of its organization. @throws {OrganizationError} */
  async createKey(organizationId: string, { serviceIds, ...terms }: CloudKeyTerms): Promise<NewKey> {
    const name = checkName('a key', terms.name);
    return this.#deps.transactions.transaction(async ({ identities }) => {
      await requireOrganization(identities, organizationId);
      for (const id of serviceIds ?? []) {
        const service = await identities.findTenant(id);
        if (service?.organizationId !== organizationId) throw serviceMissing(id);
      }
      const owner = { kind: 'cloud', organizationId, ...(serviceIds ? { serviceIds } : {}) } as const;
      return createKey(identities, this.#deps, owner, { ...terms, name });
    });
  }
}

async function requireOrganization(identities: IdentityStore, id: string): Promise<void> {
  if (await identities.findOrganization(id)) return;
  throw new OrganizationError('organizationMissing', `There is no organization ${JSON.stringify(id)}.`);
}

function serviceMissing(id: string): OrganizationError {
  return new OrganizationError('serviceMissing', `There is no service ${JSON.stringify(id)} in this organization.`);
}

function checkName(what: string, text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= nameCharsMax) return name;
  throw new OrganizationError('nameInvalid', `The name of ${what} must have 1 to ${nameCharsMax} characters.`);
}
