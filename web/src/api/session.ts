import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { LogIn, SessionView, SignUp } from '../../../src/contract/session.ts';
import { fetchData } from './client.ts';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => fetchData<SessionView>('session'),
  staleTime: 60_000,
});

/** Who is logged in; `undefined` while that is not known. */
export function useSession(): SessionView | undefined {
  return useQuery(sessionQuery).data;
}

/** Log in, sign up, log out: none leaves another user's data in memory. */
export function useSessionChanges() {
  const client = useQueryClient();
  const begin = (session: SessionView) => {
    client.clear();
    client.setQueryData(sessionQuery.queryKey, session);
  };
  return {
    logIn: async (body: LogIn) => begin(await fetchData<SessionView>('session', { method: 'POST', body })),
    signUp: async (body: SignUp) => begin(await fetchData<SessionView>('account', { method: 'POST', body })),
    logOut: async () => {
      await fetchData('session', { method: 'DELETE' });
      client.clear();
    },
  };
}
