import {
  ServiceErrorSchema,
  ServiceErrorsRequestSchema,
  ServiceListMetaSchema,
  ServiceMapMetaSchema,
  ServiceMapRequestSchema,
  ServiceMapSchema,
  ServiceOperationSchema,
  ServiceOperationsRequestSchema,
  ServiceSchema,
  ServicesRequestSchema,
} from '../../../contract/services.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { ServiceMapReader } from '../service-map-reader.ts';
import type { ServiceReports } from '../service-reports.ts';

/** What all of these share: extensions that read spans, offered where searches are. */
const shared = {
  method: 'POST',
  flavours: ['selfHosted'],
  console: true,
  tag: 'Services',
  role: 'read',
  bodyInvalid: 'query_invalid',
  errors: ['query_invalid', 'source_not_found', 'connection_not_found', 'engine_unavailable', 'query_timeout'],
} as const;

export function serviceOperations(reports: ServiceReports, maps: ServiceMapReader): Operation[] {
  return [listServices(reports), listServiceOperations(reports), listServiceErrors(reports), readServiceMap(maps)];
}

function listServices(reports: ServiceReports): Operation {
  return operation({
    ...shared,
    id: 'queryServices',
    path: '/services',
    summary: 'Rates, errors and durations of the services in a trace source',
    body: ServicesRequestSchema,
    answer: { kind: 'list', schema: ServiceSchema, meta: ServiceListMetaSchema },
    handle: async ({ principal, body, signal }) => {
      const { items: data, meta } = await reports.list(principal.tenantId, body, signal);
      return { kind: 'data', data, meta };
    },
  });
}

function listServiceOperations(reports: ServiceReports): Operation {
  return operation({
    ...shared,
    id: 'queryServiceOperations',
    path: '/services/operations',
    summary: 'Rates, errors and durations of the operations of a service',
    body: ServiceOperationsRequestSchema,
    answer: { kind: 'list', schema: ServiceOperationSchema, meta: ServiceListMetaSchema },
    handle: async ({ principal, body, signal }) => {
      const { items: data, meta } = await reports.operations(principal.tenantId, body, signal);
      return { kind: 'data', data, meta };
    },
  });
}

function listServiceErrors(reports: ServiceReports): Operation {
  return operation({
    ...shared,
    id: 'queryServiceErrors',
    path: '/services/errors',
    summary: 'The most frequent exceptions and errors of a service',
    body: ServiceErrorsRequestSchema,
    answer: { kind: 'list', schema: ServiceErrorSchema, meta: ServiceListMetaSchema },
    handle: async ({ principal, body, signal }) => {
      const { items: data, meta } = await reports.errors(principal.tenantId, body, signal);
      return { kind: 'data', data, meta };
    },
  });
}

function readServiceMap(maps: ServiceMapReader): Operation {
  return operation({
    ...shared,
    id: 'queryServiceMap',
    path: '/services/map',
    summary: 'Calls between services, and to databases, topics and others that send no spans',
    body: ServiceMapRequestSchema,
    answer: { kind: 'one', schema: ServiceMapSchema, meta: ServiceMapMetaSchema },
    handle: async ({ principal, body, signal }) => {
      const { map: data, meta } = await maps.read(principal.tenantId, body, signal);
      return { kind: 'data', data, meta };
    },
  });
}
