import { useMutation, useQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { InvitationViewSchema, PasswordChangeSchema } from '../../../../src/contract/session.ts';
import { fetchData } from '../../api/client.ts';

export type InvitationView = Static<typeof InvitationViewSchema>;

/** What an invitation link is good for. */
export function useInvitation(token: string) {
  return useQuery({
    queryKey: ['invitations', token],
    queryFn: () => fetchData<InvitationView>(`invitations/${encodeURIComponent(token)}`),
    enabled: token !== '',
    retry: false,
  });
}

export function useChangePassword() {
  return useMutation({
    mutationFn: (body: Static<typeof PasswordChangeSchema>) => fetchData('account/password', { method: 'PUT', body }),
  });
}
