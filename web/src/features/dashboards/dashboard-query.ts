import { queryOptions } from '@tanstack/react-query';
import type { Dashboard } from '../../../../src/contract/dashboard.ts';
import { callApi } from '../../api/client.ts';

/** What was read while its page was loaded is not read again when that is drawn. */
const staleTimeMs = 2_000;

/** The dashboard with its version. */
export function dashboardQuery(id: string) {
  return queryOptions({
    queryKey: ['dashboards', id],
    queryFn: () => callApi<Dashboard>(`dashboards/${id}`),
    staleTime: staleTimeMs,
  });
}
