import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { CloudKeySchema, KeyInput, KeySchema } from '../../../../src/contract/key.ts';
import { fetchData } from '../../api/client.ts';

/** Cloud keys also have a `keyId`. */
export type KeyRecord = Static<typeof KeySchema> & Partial<Pick<Static<typeof CloudKeySchema>, 'keyId'>>;

/** A new key with its secret, which is shown only once. */
export type NewKey = KeyRecord & { key?: string; keySecret?: string };

export function useKeys(path: string) {
  return useQuery({ queryKey: [path], queryFn: () => fetchData<KeyRecord[]>(path) });
}

/** Make, rotate and revoke the keys under `path`; the list follows. */
export function useKeyChanges(path: string) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: [path] });
  const create = useMutation({
    mutationFn: (body: KeyInput) => fetchData<NewKey>(path, { method: 'POST', body }),
    onSuccess,
  });
  const rotate = useMutation({
    mutationFn: ({ id, overlapHours }: { id: string; overlapHours: number }) =>
      fetchData<NewKey>(`${path}/${id}/rotate`, { method: 'POST', body: { overlapHours } }),
    onSuccess,
  });
  const revoke = useMutation({
    mutationFn: (id: string) => fetchData(`${path}/${id}`, { method: 'DELETE' }),
    onSuccess,
  });
  return { create, rotate, revoke };
}
