import { Badge, Group, Stack, Table, Text } from '@mantine/core';
import { ConfirmButton } from '../../ui/ConfirmButton.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RowSkeleton } from '../../ui/RowSkeleton.tsx';
import { InviteForm } from './InviteForm.tsx';
import { useInvitations, useMembers, useTeamChanges } from './team-queries.ts';

export function Members() {
  return (
    <Stack gap={16}>
      <MemberPanel />
      <Panel title="Invite" description="You get a link to send; anyone who has it can join until it expires.">
        <InviteForm />
      </Panel>
      <PendingInvitations />
    </Stack>
  );
}

function MemberPanel() {
  const members = useMembers();
  const { remove } = useTeamChanges();
  return (
    <Panel title="Members">
      {members.error ? <ErrorNotice error={members.error} onRetry={members.refetch} /> : null}
      <Table aria-label="Members">
        <Table.Tbody>
          {members.isPending ? <RowSkeleton rows={2} columns={['base', 'base', 'base']} /> : null}
          {members.data?.map((member) => (
            <Table.Tr key={member.id}>
              <Table.Td className="long-text">
                <Text size="sm">{member.name ?? member.email}</Text>
                {member.name === null ? null : (
                  <Text size="xs" c="var(--sb-muted)">
                    {member.email}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <Badge variant="default">{member.isCurrentUser ? `${member.role}, you` : member.role}</Badge>
              </Table.Td>
              <Table.Td align="right">
                {member.isCurrentUser ? null : (
                  <ConfirmButton
                    verb="Remove"
                    subject={member.name ?? member.email}
                    consequence="They can no longer log in, and their personal keys stop working."
                    onConfirm={() => remove.mutateAsync(member.id)}
                  />
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}

function PendingInvitations() {
  const invitations = useInvitations();
  const { withdraw } = useTeamChanges();
  if (invitations.error) return <ErrorNotice error={invitations.error} onRetry={invitations.refetch} />;
  if (!invitations.data || invitations.data.length === 0) return null;
  return (
    <Panel title="Pending invitations">
      {invitations.data.map((invitation) => (
        <Group key={invitation.id} justify="space-between" py={6}>
          <div>
            <Text size="sm">{invitation.email}</Text>
            <Text size="xs" c="var(--sb-muted)">
              Until {invitation.expiresAt.slice(0, 10)}
            </Text>
          </div>
          <Group gap={8}>
            <CopyButton value={invitation.url} label={`Copy link for ${invitation.email}`} />
            <ConfirmButton
              verb="Withdraw"
              subject={invitation.email}
              consequence="The link stops working."
              onConfirm={() => withdraw.mutateAsync(invitation.id)}
            />
          </Group>
        </Group>
      ))}
    </Panel>
  );
}
