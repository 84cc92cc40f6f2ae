import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SourceCheckResult } from '../../../../src/contract/completion.ts';
import type { ConnectionRecord } from '../../../../src/contract/connection.ts';
import { fetchData } from '../../api/client.ts';
import { useCheckedSave } from '../editing/use-checked-save.ts';
import { type SourceRecord, sourcesQuery } from '../where-editor/source-queries.ts';
import { draftOf, isComplete, type SourceDraft } from './source-draft.ts';

export const connectionsQuery = queryOptions({
  queryKey: ['connections'],
  queryFn: () => fetchData<ConnectionRecord[]>('connections'),
  staleTime: 60_000,
});

/** What would be rejected and what does not match the table; stores nothing. */
export function useSourceCheck(draft: SourceDraft) {
  return useQuery({
    queryKey: ['source-check', draft],
    enabled: isComplete(draft),
    staleTime: 30_000,
    retry: false,
    queryFn: ({ signal }) => fetchData<SourceCheckResult>('sources/check', { method: 'POST', body: draft, signal }),
    placeholderData: (before) => before,
  });
}

/** Creates, or replaces the one with `id` where it still is what the form began with (`begun`). */
export function useSaveSource(
  id: string | undefined,
  begun: SourceDraft | undefined,
  onSaved: (saved: SourceRecord) => Promise<void>,
) {
  const client = useQueryClient();
  return useCheckedSave<SourceDraft, SourceRecord>({
    base: begun,
    read: async () => draftOf(await fetchData<SourceRecord>(`sources/${id}`)),
    write: (body) => fetchData<SourceRecord>(id ? `sources/${id}` : 'sources', { method: id ? 'PUT' : 'POST', body }),
    onSaved: async (saved) => {
      await client.invalidateQueries({ queryKey: sourcesQuery.queryKey });
      await onSaved(saved);
    },
  });
}

export function useDeleteSource() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, force }: { id: string; force: boolean }) =>
      fetchData(`sources/${id}${force ? '?force=true' : ''}`, { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: sourcesQuery.queryKey }),
  });
}
