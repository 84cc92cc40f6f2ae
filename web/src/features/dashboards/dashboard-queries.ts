import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  CreateDashboard,
  Dashboard,
  DashboardValidation,
  UpdateDashboard,
} from '../../../../src/contract/dashboard.ts';
import type { Tile } from '../../../../src/contract/tile.ts';
import type { TileAnswer, TileFilter } from '../../../../src/contract/tile-query.ts';
import { tilesByRequest } from '../../../../src/contract/tile-texts.ts';
import type { TileVariable } from '../../../../src/contract/variables.ts';
import { type ApiAnswer, callApi, fetchData } from '../../api/client.ts';
import { pageZone } from '../../ui/page-zone.ts';
import { alertsQuery } from '../alerts/alert-queries.ts';
import type { DashboardCondition } from '../dashboard-filters/saved-filters.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';
import { dashboardQuery } from './dashboard-query.ts';
import { backgroundTile } from './number-look.ts';

export const dashboardsQuery = queryOptions({
  queryKey: ['dashboards'],
  queryFn: () => fetchData<Dashboard[]>('dashboards'),
});

/** What a tile asks; its name and place play no part. */
type TileQuery = Pick<Tile, 'id'> & Partial<Tile>;

export interface TilesQuestion {
  dashboardId: string;
  tiles: readonly Tile[];
  range: ResolvedRange;
  granularity?: string | undefined;
  /** What the dashboard's filters narrow the tiles to. */
  filters?: readonly TileFilter[];
  /** What the dashboard is searched for. */
  condition?: DashboardCondition | undefined;
  /** Values of the dashboard's variables. */
  variables?: readonly TileVariable[];
  /** How the tiles are read is wanted, too. */
  explain?: boolean;
}

/** Body of `POST /charts/tiles` for these tiles: their queries, without name and place. */
export function tilesBody(
  tiles: readonly TileQuery[],
  {
    range,
    granularity,
    filters = [],
    condition,
    variables = [],
    explain = false,
  }: Omit<TilesQuestion, 'dashboardId' | 'tiles'>,
) {
  return {
    startTime: range.startMs,
    endTime: range.endMs,
    ...(granularity ? { granularity } : {}),
    timezone: pageZone(),
    ...(filters.length > 0 ? { filters } : {}),
    ...(condition ? { where: condition.where, whereLanguage: condition.language } : {}),
    ...(variables.length > 0 ? { variables } : {}),
    ...(explain ? { explain } : {}),
    tiles: tiles.map(({ id, ...tile }) => ({ ref: id, tile: queryOf(tile) })),
  };
}

/** A tile without its name and place. */
function queryOf({ name: _name, x: _x, y: _y, w: _w, h: _h, containerId: _in, tabId: _tab, ...query }: Partial<Tile>) {
  return query;
}

/** Of every question for tiles of this dashboard. */
export function tilesKey(dashboardId: string) {
  return ['dashboards', dashboardId, 'tiles'] as const;
}

/** What every tile shows, by its id, and the backgrounds of numbers (`backgroundRef`). Tiles of a request share what they read. */
export function useTileAnswers(question: TilesQuestion) {
  const { dashboardId, tiles } = question;
  const asked = tiles.flatMap((tile): TileQuery[] => {
    const background = backgroundTile(tile);
    return background ? [tile, background] : [tile];
  });
  const body = tilesBody(asked, question);
  return useQuery({
    queryKey: [...tilesKey(dashboardId), body],
    enabled: tiles.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    gcTime: 60_000,
    queryFn: async ({ signal }) => {
      const parts = tilesByRequest(body.tiles, body).map((part) => ({ ...body, tiles: part }));
      const answers = await Promise.all(
        parts.map((part) => fetchData<TileAnswer[]>('charts/tiles', { method: 'POST', body: part, signal })),
      );
      return new Map(answers.flat().map((answer) => [answer.ref, answer]));
    },
  });
}

export function useCreateDashboard() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateDashboard) => fetchData<Dashboard>('dashboards', { method: 'POST', body }),
    onSuccess: () => client.invalidateQueries({ queryKey: dashboardsQuery.queryKey, exact: true }),
  });
}

export function useDeleteDashboard() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => fetchData(`dashboards/${id}`, { method: 'DELETE' }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: dashboardsQuery.queryKey, exact: true }),
        client.invalidateQueries({ queryKey: ['deleted-dashboards'] }),
      ]),
  });
}

/** Ids of the alerts that saving this body would delete; none for a body that would be rejected. */
export async function alertsLostBySaving(id: string, body: UpdateDashboard): Promise<string[]> {
  const request = { method: 'POST', body: { ...body, id } } as const;
  const { deletedAlerts = [] } = await fetchData<DashboardValidation>('dashboards/validate', request);
  return deletedAlerts;
}

export interface Save {
  id: string;
  body: UpdateDashboard;
  /** The version that the changes were made on. */
  etag: string | undefined;
}

/** Saves only over the version that was read: another one is answered 412. */
export function useSaveDashboard() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, body, etag }: Save) =>
      callApi<Dashboard>(`dashboards/${id}`, { method: 'PUT', body, ifMatch: etag }),
    onSuccess: (saved: ApiAnswer<Dashboard>) => {
      client.setQueryData(dashboardQuery(saved.data.id).queryKey, saved);
      void client.invalidateQueries({ queryKey: dashboardsQuery.queryKey, exact: true });
      void client.invalidateQueries({ queryKey: ['dashboards', saved.data.id, 'versions'] });
      // Ids, as the operation documents. Their histories are not asked for again.
      const lost = (saved.meta?.deletedAlerts ?? []) as string[];
      client.setQueryData(alertsQuery.queryKey, (alerts) => alerts?.filter(({ id }) => !lost.includes(id)));
    },
  });
}
