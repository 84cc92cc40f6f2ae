import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Dashboard } from '../../../../src/contract/dashboard.ts';
import type {
  DashboardVersionRecord,
  DeletedDashboardRecord,
  PastDashboardRecord,
  UndeletionMeta,
} from '../../../../src/contract/dashboard-version.ts';
import { callApi, fetchAll, fetchData } from '../../api/client.ts';
import { alertsQuery } from '../alerts/alert-queries.ts';
import { usePersonName } from '../team/team-queries.ts';
import { dashboardsQuery } from './dashboard-queries.ts';
import { dashboardQuery } from './dashboard-query.ts';

/** The newest first, which is what is stored now. */
export function versionsQuery(id: string) {
  return queryOptions({
    queryKey: ['dashboards', id, 'versions'],
    queryFn: () => fetchData<DashboardVersionRecord[]>(`dashboards/${id}/versions`),
  });
}

export function versionQuery(id: string, version: number) {
  return queryOptions({
    queryKey: ['dashboards', id, 'versions', version],
    queryFn: () => fetchData<PastDashboardRecord>(`dashboards/${id}/versions/${version}`),
  });
}

export const deletedDashboardsQuery = queryOptions({
  queryKey: ['deleted-dashboards'],
  queryFn: ({ signal }) => fetchAll<DeletedDashboardRecord>('deleted-dashboards', signal),
});

/** Restores only over the version that was looked at: another one is answered 412. */
export function useRestoreVersion(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ version, etag }: { version: number; etag: string | undefined }) =>
      callApi<Dashboard>(`dashboards/${id}/versions/${version}/restore`, { method: 'POST', ifMatch: etag }),
    onSuccess: (saved) => client.setQueryData(dashboardQuery(id).queryKey, saved),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: dashboardQuery(id).queryKey, exact: true }),
        client.invalidateQueries({ queryKey: versionsQuery(id).queryKey }),
        client.invalidateQueries({ queryKey: dashboardsQuery.queryKey, exact: true }),
        client.invalidateQueries({ queryKey: alertsQuery.queryKey, exact: true }),
      ]),
  });
}

export function useUndelete() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (id: string): Promise<UndeletionMeta> => {
      const { meta } = await callApi<Dashboard>(`deleted-dashboards/${id}/restore`, { method: 'POST' });
      // The answer's own schema.
      return (meta ?? {}) as UndeletionMeta;
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: deletedDashboardsQuery.queryKey }),
        client.invalidateQueries({ queryKey: dashboardsQuery.queryKey }),
        client.invalidateQueries({ queryKey: alertsQuery.queryKey, exact: true }),
      ]),
  });
}

const programs: Readonly<Record<string, string>> = {
  provisioning: 'the provisioning file',
  'command-line': 'the command line',
  signalbox: 'Signalbox',
};

/** Who saved or deleted a dashboard, in words. */
export function useAuthorName(): (by: string | undefined) => string {
  const nameOf = usePersonName();
  return (by) => (by === undefined ? 'not known' : (programs[by] ?? nameOf(by)));
}
