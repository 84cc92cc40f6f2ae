import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { Dashboard } from '../../../../src/contract/dashboard.ts';
import type { TileAnswer } from '../../../../src/contract/tile-query.ts';
import { callApi, fetchData } from '../../api/client.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';

export const dashboardsQuery = queryOptions({
  queryKey: ['dashboards'],
  queryFn: () => fetchData<Dashboard[]>('dashboards'),
});

/** The dashboard with its version. */
export function dashboardQuery(id: string) {
  return queryOptions({ queryKey: ['dashboards', id], queryFn: () => callApi<Dashboard>(`dashboards/${id}`) });
}

/** Tiles that one request may name. */
const tilesAtOnce = 50;

/** What every tile shows, by its id. Tiles of a request share what they read. */
export function useTileAnswers(
  dashboard: Dashboard | undefined,
  range: ResolvedRange,
  granularity: string | undefined,
) {
  return useQuery({
    queryKey: ['dashboards', dashboard?.id, 'tiles', dashboard?.tiles, range, granularity],
    enabled: dashboard !== undefined && dashboard.tiles.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const tiles = (dashboard?.tiles ?? []).map((tile) => ({ ref: tile.id, tile }));
      const parts = Array.from({ length: Math.ceil(tiles.length / tilesAtOnce) }, (_, index) =>
        tiles.slice(index * tilesAtOnce, (index + 1) * tilesAtOnce),
      );
      const answers = await Promise.all(
        parts.map((part) =>
          fetchData<TileAnswer[]>('charts/tiles', {
            method: 'POST',
            body: {
              startTime: range.startMs,
              endTime: range.endMs,
              ...(granularity ? { granularity } : {}),
              tiles: part,
            },
            signal,
          }),
        ),
      );
      return new Map(answers.flat().map((answer) => [answer.ref, answer]));
    },
  });
}
