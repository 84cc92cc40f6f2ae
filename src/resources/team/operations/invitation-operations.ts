import { InvitationInputSchema, InvitationSchema, NewInvitationSchema, RemovedSchema } from '../../../contract/team.ts';
import { type Operation, operation, smallBodyBytesMax } from '../../../http/operation.ts';
import type { InvitationService } from '../invitation-service.ts';
import { presentInvitation, presentNewInvitation } from '../present-team.ts';

const common = { flavours: ['selfHosted'], tag: 'Team' } as const;

export function invitationOperations(invitations: InvitationService): Operation[] {
  return [listInvitations(invitations), inviteMember(invitations), removeInvitation(invitations)];
}

/** Only for those who may invite: a link in it lets its reader in. */
function listInvitations(invitations: InvitationService): Operation {
  return operation({
    ...common,
    id: 'listInvitations',
    method: 'GET',
    path: '/team/invitations',
    summary: 'List the open invitations',
    role: 'admin',
    answer: { kind: 'list', schema: InvitationSchema },
    errors: [],
    handle: async ({ principal }) => ({
      kind: 'data',
      data: (await invitations.list(principal.tenantId)).map(presentInvitation),
    }),
  });
}

function inviteMember(invitations: InvitationService): Operation {
  return operation({
    ...common,
    id: 'inviteMember',
    method: 'POST',
    path: '/team/invitation',
    summary: 'Invite someone to the team',
    role: 'admin',
    body: InvitationInputSchema,
    bodyBytesMax: smallBodyBytesMax,
    answer: { kind: 'one', schema: NewInvitationSchema },
    errors: ['request_invalid', 'conflict'],
    handle: async ({ principal, body }) => ({
      kind: 'data',
      data: presentNewInvitation(await invitations.invite(principal.tenantId, body)),
    }),
  });
}

function removeInvitation(invitations: InvitationService): Operation {
  return operation({
    ...common,
    id: 'removeInvitation',
    method: 'DELETE',
    path: '/team/invitation/:id',
    summary: 'Withdraw an invitation',
    role: 'admin',
    answer: { kind: 'one', schema: RemovedSchema },
    errors: ['invitation_not_found'],
    handle: async ({ principal, params }) => {
      await invitations.remove(principal.tenantId, params.id ?? '');
      return { kind: 'data', data: { success: true } };
    },
  });
}
