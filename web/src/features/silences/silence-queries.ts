import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { SilenceInput, SilenceRecord } from '../../../../src/contract/silence.ts';
import { fetchAll, fetchData } from '../../api/client.ts';

export const silencesQuery = queryOptions({
  queryKey: ['silences'],
  queryFn: ({ signal }) => fetchAll<SilenceRecord>('silences', signal),
  refetchInterval: 30_000,
});

function useSilenceChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => client.invalidateQueries({ queryKey: silencesQuery.queryKey }),
  });
}

/** Creates, or replaces the one with `id`. */
export function useSaveSilence() {
  return useSilenceChange(({ id, body }: { id?: string | undefined; body: SilenceInput }) =>
    fetchData<SilenceRecord>(id ? `silences/${id}` : 'silences', { method: id ? 'PUT' : 'POST', body }),
  );
}

export function useDeleteSilence() {
  return useSilenceChange((id: string) => fetchData(`silences/${id}`, { method: 'DELETE' }));
}
