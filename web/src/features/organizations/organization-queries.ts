import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { OrganizationSchema, ServiceSchema } from '../../../../src/contract/organization.ts';
import { fetchData } from '../../api/client.ts';

export type Organization = Static<typeof OrganizationSchema>;
export type Service = Static<typeof ServiceSchema>;

export const useOrganizations = () =>
  useQuery({ queryKey: ['organizations'], queryFn: () => fetchData<Organization[]>('organizations') });

export const useOrganization = (id: string) =>
  useQuery({ queryKey: ['organizations', id], queryFn: () => fetchData<Organization>(`organizations/${id}`) });

export const servicesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['organizations', organizationId, 'services'],
    queryFn: () => fetchData<Service[]>(`organizations/${organizationId}/services`),
  });

export const useServices = (organizationId: string) => useQuery(servicesQuery(organizationId));

/** Path of a service below the API's prefix. */
export function servicePath(organizationId: string, serviceId: string): string {
  return `organizations/${organizationId}/services/${serviceId}`;
}

export const useService = (organizationId: string, serviceId: string) =>
  useQuery({
    queryKey: ['organizations', organizationId, 'services', serviceId],
    queryFn: () => fetchData<Service>(servicePath(organizationId, serviceId)),
  });

export function useCreateService(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) =>
      fetchData<{ service: Service }>(`organizations/${organizationId}/services`, { method: 'POST', body: { name } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['organizations', organizationId, 'services'] }),
  });
}
