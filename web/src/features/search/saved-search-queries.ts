import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { SavedSearchInput, SavedSearchRecord } from '../../../../src/contract/saved-search.ts';
import { fetchAll, fetchData } from '../../api/client.ts';

export const savedSearchesQuery = queryOptions({
  queryKey: ['saved-searches'],
  queryFn: ({ signal }) => fetchAll<SavedSearchRecord>('saved-searches', signal),
  staleTime: 30_000,
});

/** Creates, or replaces the one with `id`. */
export function useSaveSearch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, body }: { id?: string | undefined; body: SavedSearchInput }) =>
      fetchData<SavedSearchRecord>(id ? `saved-searches/${id}` : 'saved-searches', {
        method: id ? 'PUT' : 'POST',
        body,
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: savedSearchesQuery.queryKey }),
  });
}

export function useDeleteSearch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => fetchData(`saved-searches/${id}`, { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: savedSearchesQuery.queryKey }),
  });
}
