import { service } from '../../boot.ts';
import { servicePath } from './organization-queries.ts';

/** The service whose pages these are. */
export function ownService(): { organizationId: string; serviceId: string; path: string } {
  if (!service) throw new Error('this page is one of a service');
  const { organizationId, serviceId } = service;
  return { organizationId, serviceId, path: servicePath(organizationId, serviceId) };
}
