import type { IdentityStore, Organization } from '../../access/identity-repository.ts';
import { OrganizationError, type OrganizationService } from '../../access/organization-service.ts';
import type { Principal } from '../../access/principal.ts';
import type { Tenant } from '../../access/tenants.ts';
import { AppError } from '../../contract/errors.ts';

export interface OrganizationConsoleDeps {
  identities: Pick<IdentityStore, 'findOrganization' | 'findTenant'>;
  organizations: OrganizationService;
}

/**
 * What a caller may see and change of the own organization. Which organization that is, authentication has decided:
 * another one in the path never comes here (decisions P4).
 */
export class OrganizationConsole {
  readonly #deps: OrganizationConsoleDeps;

  constructor(deps: OrganizationConsoleDeps) {
    this.#deps = deps;
  }

  /** @throws {AppError} `forbidden` */
  async organization({ organizationId }: Principal): Promise<Organization> {
    const found =
      organizationId === undefined ? undefined : await this.#deps.identities.findOrganization(organizationId);
    if (!found) throw new AppError('forbidden');
    return found;
  }

  /** By creation; a key that is limited to services sees those. */
  async services(principal: Principal): Promise<Tenant[]> {
    const { id } = await this.organization(principal);
    const all = await this.#deps.organizations.listServices(id);
    return all.filter((service) => !principal.serviceIds || principal.serviceIds.includes(service.id));
  }

  /** The service of the path. @throws {AppError} `forbidden` */
  async service({ tenantId }: Principal): Promise<Tenant> {
    const service = await this.#deps.identities.findTenant(tenantId);
    if (!service) throw new AppError('forbidden');
    return service;
  }

  /** @throws {AppError} `whole_organization_needed`, `request_invalid` */
  async createService(principal: Principal, name: string): Promise<Tenant> {
    if (principal.serviceIds) throw new AppError('whole_organization_needed');
    const { id } = await this.organization(principal);
    return this.#deps.organizations.createService(id, name).catch((error: unknown) => {
      if (error instanceof OrganizationError) throw new AppError('request_invalid', { public: error.message });
      throw error;
    });
  }
}
