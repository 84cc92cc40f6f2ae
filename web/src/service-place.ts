/** The service whose pages a document has, as its address says. */
export interface ServicePlace {
  organizationId: string;
  serviceId: string;
  /** Path of its first page, with which those of the others begin. */
  pagesPath: string;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** `undefined` for an address outside of every service; `basePath` has slashes at both ends. */
export function servicePlaceOf(pathname: string, basePath: string): ServicePlace | undefined {
  if (!pathname.startsWith(basePath)) return undefined;
  const [organizations, organizationId = '', services, serviceId = ''] = pathname.slice(basePath.length).split('/');
  if (organizations !== 'organizations' || services !== 'services') return undefined;
  if (!uuid.test(organizationId) || !uuid.test(serviceId)) return undefined;
  return { organizationId, serviceId, pagesPath: servicePagesPath(basePath, organizationId, serviceId) };
}

export function servicePagesPath(basePath: string, organizationId: string, serviceId: string): string {
  return `${basePath}organizations/${organizationId}/services/${serviceId}`;
}
