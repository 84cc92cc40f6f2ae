import { useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import type { AlertInput } from '../../../../src/contract/alert.ts';
import { evaluatedSeries } from '../../../../src/contract/evaluated-series.ts';
import type { NumberFormat } from '../../../../src/contract/number-format.ts';
import type { Tile } from '../../../../src/contract/tile.ts';
import { dashboardsQuery } from '../dashboards/dashboard-queries.ts';
import { numberFormatOf } from '../dashboards/tile-look.ts';
import { savedSearchesQuery } from '../search/saved-search-queries.ts';
import { webhooksQuery } from './alert-queries.ts';

type WatchedLink = ReturnType<typeof searchLink> | ReturnType<typeof dashboardLink>;

const searchLink = (savedSearchId: string) => linkOptions({ to: '/search/$savedSearchId', params: { savedSearchId } });
const dashboardLink = (dashboardId: string) => linkOptions({ to: '/dashboards/$dashboardId', params: { dashboardId } });

export type WatchedIds = Pick<AlertInput, 'dashboardId' | 'tileId' | 'savedSearchId'>;

export interface Watched {
  label: string;
  /** To the page that shows it. */
  link: WatchedLink;
  /** The tile, if it watches one. */
  tile?: Tile | undefined;
  /** How its values are written, as the tile says; `useWatched` also knows units. */
  numberFormat?: NumberFormat | undefined;
  /** Which of its series is evaluated; absent when there is one. */
  series?: string | undefined;
}

/** Names for the ids of an alert: what it watches and which webhooks it notifies. */
export function useWatchedNames() {
  const dashboards = useQuery(dashboardsQuery).data;
  const searches = useQuery(savedSearchesQuery).data;
  const webhooks = useQuery(webhooksQuery).data;
  const watched = ({ dashboardId, tileId, savedSearchId }: WatchedIds): Watched => {
    if (savedSearchId) {
      const search = searches?.find(({ id }) => id === savedSearchId);
      return { label: search?.name ?? 'Saved search', link: searchLink(savedSearchId) };
    }
    const dashboard = dashboards?.find(({ id }) => id === dashboardId);
    const tile = dashboard?.tiles.find(({ id }) => id === tileId);
    const label = `${dashboard?.name ?? 'Dashboard'} › ${tile?.name ?? 'Tile'}`;
    return {
      label,
      link: dashboardLink(dashboardId ?? ''),
      tile,
      numberFormat: tile ? numberFormatOf(tile) : undefined,
      series: tile ? evaluatedSeries(tile) : undefined,
    };
  };
  const webhookName = (webhookId: string) => webhooks?.find(({ id }) => id === webhookId)?.name ?? webhookId;
  return { watched, webhookName };
}
