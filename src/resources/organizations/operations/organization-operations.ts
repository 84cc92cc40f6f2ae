import { OrganizationSchema } from '../../../contract/organization.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { OrganizationConsole } from '../organization-console.ts';
import { presentOrganization } from '../present-organization.ts';
import { serviceOperations } from './service-operations.ts';

/** Every operation on organizations and their services (managed). */
export function organizationOperations(organizations: OrganizationConsole): Operation[] {
  return [listOrganizations(organizations), getOrganization(organizations), ...serviceOperations(organizations)];
}

/** A caller belongs to exactly one. */
function listOrganizations(organizations: OrganizationConsole): Operation {
  return operation({
    id: 'listOrganizations',
    method: 'GET',
    path: '/organizations',
    place: 'root',
    flavours: ['managed'],
    summary: 'List the organizations of the caller',
    tag: 'Organizations',
    role: 'read',
    answer: { kind: 'list', schema: OrganizationSchema },
    errors: [],
    handle: async ({ principal }) => ({
      kind: 'data',
      data: [presentOrganization(await organizations.organization(principal))],
    }),
  });
}

function getOrganization(organizations: OrganizationConsole): Operation {
  return operation({
    id: 'getOrganization',
    method: 'GET',
    path: '/organizations/:organizationId',
    place: 'root',
    flavours: ['managed'],
    summary: 'Get an organization',
    tag: 'Organizations',
    role: 'read',
    answer: { kind: 'one', schema: OrganizationSchema },
    errors: ['request_invalid', 'forbidden'],
    handle: async ({ principal }) => ({
      kind: 'data',
      data: presentOrganization(await organizations.organization(principal)),
    }),
  });
}
