import { trimTrailing } from '../kernel/trim-trailing.ts';
import type { Tenant } from './tenants.ts';

/** Where the pages of a tenant begin, without a slash at the end: those of a service are below its organization. */
export function pagesUrlOf(publicUrl: string, tenant: Pick<Tenant, 'id' | 'organizationId'> | undefined): string {
  const base = trimTrailing(publicUrl, '/');
  const { id, organizationId } = tenant ?? {};
  return organizationId === undefined ? base : `${base}/organizations/${organizationId}/services/${id}`;
}
