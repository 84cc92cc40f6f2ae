import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FavouriteRecord } from '../../../../src/contract/favourite.ts';
import { fetchData } from '../../api/client.ts';
import { showFailure } from '../../ui/notify.ts';

export const favouritesQuery = queryOptions({
  queryKey: ['favourite-dashboards'],
  queryFn: async () => (await fetchData<FavouriteRecord[]>('favourite-dashboards')).map(({ id }) => id),
  staleTime: 60_000,
});

/** Ids of the dashboards that the person wants at hand. */
export function useFavourites(): ReadonlySet<string> {
  return new Set(useQuery(favouritesQuery).data);
}

/** Shown immediately; put back when the server does not take it. */
export function useSetFavourite() {
  const client = useQueryClient();
  const { queryKey } = favouritesQuery;
  return useMutation({
    mutationFn: ({ id, isFavourite }: { id: string; isFavourite: boolean }) =>
      fetchData(`favourite-dashboards/${id}`, { method: isFavourite ? 'PUT' : 'DELETE' }),
    onMutate: ({ id, isFavourite }) =>
      client.setQueryData(queryKey, (ids = []) => {
        const others = ids.filter((each) => each !== id);
        return isFavourite ? [...others, id] : others;
      }),
    onError: showFailure,
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}
