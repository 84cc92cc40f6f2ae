import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { LogIn, SessionView, SignUp } from '../../../src/contract/session.ts';
import { fetchData } from './client.ts';
import { abandonSession, continueSession, waitForSession } from './session-end.ts';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ client }) => {
    const view = await fetchData<SessionView>('session');
    const known = client.getQueryData<SessionView>(['session']);
    if (view.user || !known?.user) return view;
    // It ended under an open page: that keeps what it shows until the person is back.
    await waitForSession();
    return fetchData<SessionView>('session');
  },
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
    abandonSession();
    client.clear();
    client.setQueryData(sessionQuery.queryKey, session);
  };
  return {
    logIn: async (body: LogIn) => begin(await fetchData<SessionView>('session', { method: 'POST', body })),
    signUp: async (body: SignUp) => begin(await fetchData<SessionView>('account', { method: 'POST', body })),
    logOut: async () => {
      await fetchData('session', { method: 'DELETE' });
      abandonSession();
      client.clear();
    },
  };
}

/**
 * Logs the same person in again, over a page whose session has ended, or finds that another tab has done so. Then the
 * page's requests are sent. Throws if it is someone else: this page is not theirs.
 */
export function useContinuedSession() {
  const client = useQueryClient();
  const known = useSession()?.user ?? undefined;
  const accept = (session: SessionView) => {
    if (!session.user) return;
    if (session.user.id !== known?.id)
      throw new Error('This is another account. Log in as the person whose page this is.');
    client.setQueryData(sessionQuery.queryKey, session);
    continueSession();
  };
  return {
    email: known?.email ?? '',
    logIn: async (password: string) => {
      accept(
        await fetchData<SessionView>('session', { method: 'POST', body: { email: known?.email ?? '', password } }),
      );
    },
    lookAgain: async () => accept(await fetchData<SessionView>('session')),
  };
}
