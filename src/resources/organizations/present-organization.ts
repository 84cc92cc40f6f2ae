import type { Organization } from '../../access/identity-repository.ts';
import type { Tenant } from '../../access/tenants.ts';

export function presentOrganization({ id, name }: Organization): object {
  return { id, name };
}

/** Without what only the program knows, such as the database. */
export function presentService({ id, name, organizationId }: Tenant): object {
  return { id, name, organizationId };
}
