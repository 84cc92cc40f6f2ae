import { useQuery } from '@tanstack/react-query';
import type { AlertRecord } from '../../../../src/contract/alert.ts';
import { dashboardsQuery } from '../dashboards/dashboard-queries.ts';
import { savedSearchesQuery } from '../search/saved-search-queries.ts';
import { webhooksQuery } from './alert-queries.ts';

export interface Watched {
  label: string;
  to: string;
}

/** Names for the ids of an alert: what it watches, and whom it tells. */
export function useWatchedNames() {
  const dashboards = useQuery(dashboardsQuery).data;
  const searches = useQuery(savedSearchesQuery).data;
  const webhooks = useQuery(webhooksQuery).data;
  const watched = ({ dashboardId, tileId, savedSearchId }: AlertRecord): Watched => {
    if (savedSearchId) {
      const search = searches?.find(({ id }) => id === savedSearchId);
      return { label: search?.name ?? 'Saved search', to: `/search/${savedSearchId}` };
    }
    const dashboard = dashboards?.find(({ id }) => id === dashboardId);
    const tile = dashboard?.tiles.find(({ id }) => id === tileId);
    return { label: `${dashboard?.name ?? 'Dashboard'} › ${tile?.name ?? 'Tile'}`, to: `/dashboards/${dashboardId}` };
  };
  const webhookName = (webhookId: string) => webhooks?.find(({ id }) => id === webhookId)?.name ?? webhookId;
  return { watched, webhookName };
}
