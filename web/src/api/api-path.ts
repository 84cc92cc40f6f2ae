import type { ServicePlace } from '../service-place.ts';

/** Whose pages ask. */
export interface Asking {
  flavour: 'self-hosted' | 'managed';
  service?: Pick<ServicePlace, 'organizationId' | 'serviceId'> | undefined;
}

/** Of people and organizations, whatever pages ask. */
const outsideServices = /^(session|account|invitations|organizations)([/?]|$)/;
/** Of a service, but not of its stack. */
const besideStack = /^(pipes|ingestion-keys)([/?]|$)/;
/** Begin the paths of operations that the pages show as commands, and that keys of a service have, too. */
const offeredToKeys = /^(dashboards|alerts)([/?]|$)/;

/** Path on the server of an operation, which pages name as the self-hosted API does: `dashboards/123`. */
export function apiPath(path: string, { flavour, service }: Asking): string {
  if (flavour === 'self-hosted') return `api/v2/${path}`;
  if (!service || outsideServices.test(path)) return `v1/${path}`;
  const ofService = `v1/organizations/${service.organizationId}/services/${service.serviceId}`;
  return besideStack.test(path) ? `${ofService}/${path}` : `${ofService}/stack/${path}`;
}

/** Whether the holder of a key has the operation: the API of a managed service offers fewer than its pages use. */
export function isForKeys(path: string, { service }: Asking): boolean {
  return service === undefined || offeredToKeys.test(path);
}
