import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type {
  InvitationInputSchema,
  InvitationSchema,
  MemberSchema,
  NewInvitationSchema,
  RetentionSchema,
  TeamInputSchema,
  TeamSchema,
} from '../../../../src/contract/team.ts';
import { fetchData } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { flavour } from '../../boot.ts';

export type Member = Static<typeof MemberSchema>;
export type Invitation = Static<typeof InvitationSchema>;

export const useTeam = () =>
  useQuery({ queryKey: ['team', 'self'], queryFn: () => fetchData<Static<typeof TeamSchema>>('team') });
export const useMembers = () =>
  useQuery({ queryKey: ['team', 'members'], queryFn: () => fetchData<Member[]>('team/members') });
export const useInvitations = () =>
  useQuery({ queryKey: ['team', 'invitations'], queryFn: () => fetchData<Invitation[]>('team/invitations') });
export const useRetention = () =>
  useQuery({
    queryKey: ['team', 'retention'],
    queryFn: () => fetchData<Static<typeof RetentionSchema>>('team/retention'),
  });

/**
 * The name of the person with an id; ids that are no member's are keys of programs, or of people who have left. Of an
 * organization's people, only oneself is known by name.
 */
export const usePersonName = flavour === 'self-hosted' ? useMemberName : useOwnName;

function useOwnName(): (id: string) => string {
  const user = useSession()?.user;
  return (id) => (user?.id === id ? (user.name ?? user.email) : 'another person or an API key');
}

function useMemberName(): (id: string) => string {
  const members = useMembers().data;
  return (id) => {
    const member = members?.find((each) => each.id === id);
    return member?.name ?? member?.email ?? 'someone who is not on the team';
  };
}

/** Change the team; invite, withdraw and remove people. */
export function useTeamChanges() {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: ['team'] });
  const update = useMutation({
    mutationFn: (body: Static<typeof TeamInputSchema>) => fetchData('team', { method: 'PUT', body }),
    onSuccess: async () => {
      await onSuccess();
      await client.invalidateQueries({ queryKey: ['session'] });
    },
  });
  const invite = useMutation({
    mutationFn: (body: Static<typeof InvitationInputSchema>) =>
      fetchData<Static<typeof NewInvitationSchema>>('team/invitation', { method: 'POST', body }),
    onSuccess,
  });
  const withdraw = useMutation({
    mutationFn: (id: string) => fetchData(`team/invitation/${id}`, { method: 'DELETE' }),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: (id: string) => fetchData(`team/member/${id}`, { method: 'DELETE' }),
    onSuccess,
  });
  return { update, invite, withdraw, remove };
}
