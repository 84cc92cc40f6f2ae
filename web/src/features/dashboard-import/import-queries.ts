import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Dashboard } from '../../../../src/contract/dashboard.ts';
import type { DashboardImportPreview, DashboardImportRequest } from '../../../../src/contract/dashboard-import.ts';
import { callApi, fetchData } from '../../api/client.ts';
import { dashboardsQuery } from '../dashboards/dashboard-queries.ts';

/** A document that was read, with a key by which it is known: comparing its text would take too long. */
export interface ReadDocument {
  key: string;
  value: unknown;
}

/** What an import would store and report. */
export function useImportPreview({ key, value }: ReadDocument, rest: Omit<DashboardImportRequest, 'document'>) {
  const request = { ...rest, document: value };
  return useQuery({
    queryKey: ['dashboard-import', key, rest],
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
    queryFn: ({ signal }) =>
      fetchData<DashboardImportPreview>('dashboards/import/preview', { method: 'POST', body: request, signal }),
  });
}

export function useImport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: DashboardImportRequest) => callApi<Dashboard>('dashboards/import', { method: 'POST', body }),
    onSuccess: () => client.invalidateQueries({ queryKey: dashboardsQuery.queryKey, exact: true }),
  });
}
