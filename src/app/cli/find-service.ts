import type { IdentityStore, Organization } from '../../access/identity-repository.ts';
import type { Tenant } from '../../access/tenants.ts';
import { CommandError } from './command-error.ts';

/** The organization with this id or name; without one, the only one there is. @throws {CommandError} */
export async function findOrganization(identities: IdentityStore, idOrName: string | undefined): Promise<Organization> {
  const organizations = await identities.listOrganizations();
  if (idOrName !== undefined) return pick(organizations, idOrName, 'organization');
  const [only, ...others] = organizations;
  if (!only) {
    throw new CommandError('There is no organization yet; create one with: signalbox organizations create <name>');
  }
  if (others.length > 0) throw new CommandError('There are several organizations; name one with --organization.');
  return only;
}

/** The service with this id or name, of one organization when that is given; without one, the only one there is. */
export async function findService(
  identities: IdentityStore,
  idOrName: string | undefined,
  organizationId?: string,
): Promise<Tenant> {
  const services = (await identities.listTenants()).filter(
    (tenant) => tenant.kind === 'service' && (organizationId === undefined || tenant.organizationId === organizationId),
  );
  if (idOrName !== undefined) return pick(services, idOrName, 'service');
  const [only, ...others] = services;
  if (!only) throw new CommandError('There is no service yet; create one with: signalbox services create <name>');
  if (others.length > 0) throw new CommandError('There are several services; name one with --service.');
  return only;
}

/** An id is unique; a name only sometimes. */
function pick<T extends { id: string; name: string }>(all: readonly T[], idOrName: string, what: string): T {
  const byId = all.find(({ id }) => id === idOrName.toLowerCase());
  if (byId) return byId;
  const [named, ...others] = all.filter(({ name }) => name === idOrName);
  if (!named) throw new CommandError(`There is no ${what} ${JSON.stringify(idOrName)}.`);
  if (others.length > 0)
    throw new CommandError(`There are several ${what}s called ${JSON.stringify(idOrName)}; give the id.`);
  return named;
}
