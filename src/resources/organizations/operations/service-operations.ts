import { NewServiceSchema, ServiceInputSchema, ServiceSchema } from '../../../contract/organization.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { OrganizationConsole } from '../organization-console.ts';
import { presentService } from '../present-organization.ts';

export function serviceOperations(organizations: OrganizationConsole): Operation[] {
  return [listServices(organizations), createService(organizations), getService(organizations)];
}

const path = '/organizations/:organizationId/services';
const common = { place: 'root', flavours: ['managed'], tag: 'Organizations' } as const;

function listServices(organizations: OrganizationConsole): Operation {
  return operation({
    ...common,
    id: 'listServices',
    method: 'GET',
    path,
    summary: 'List the services of an organization',
    role: 'read',
    answer: { kind: 'list', schema: ServiceSchema },
    errors: ['request_invalid', 'forbidden'],
    handle: async ({ principal }) => ({
      kind: 'data',
      data: (await organizations.services(principal)).map(presentService),
    }),
  });
}

/** With its sources Logs, Traces and Metrics (decisions S1). */
function createService(organizations: OrganizationConsole): Operation {
  return operation({
    ...common,
    id: 'createService',
    method: 'POST',
    path,
    summary: 'Create a service',
    role: 'admin',
    body: ServiceInputSchema,
    answer: { kind: 'one', schema: NewServiceSchema },
    errors: ['request_invalid', 'forbidden', 'whole_organization_needed'],
    handle: async ({ principal, body }) => ({
      kind: 'data',
      data: { service: presentService(await organizations.createService(principal, body.name)) },
    }),
  });
}

function getService(organizations: OrganizationConsole): Operation {
  return operation({
    ...common,
    id: 'getService',
    method: 'GET',
    path: `${path}/:serviceId`,
    summary: 'Get a service',
    role: 'read',
    answer: { kind: 'one', schema: ServiceSchema },
    errors: ['request_invalid', 'forbidden'],
    handle: async ({ principal }) => ({ kind: 'data', data: presentService(await organizations.service(principal)) }),
  });
}
