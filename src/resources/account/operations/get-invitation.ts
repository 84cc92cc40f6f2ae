import { InvitationViewSchema } from '../../../contract/session.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { AccountService } from '../account-service.ts';
import type { SessionViews } from '../session-views.ts';

/** What the page of an invitation link shows before the user joins. */
export function getInvitation(accounts: AccountService, views: SessionViews): Operation {
  return operation({
    id: 'getInvitation',
    method: 'GET',
    path: '/invitations/:token',
    session: 'open',
    flavours: ['selfHosted'],
    summary: 'Get an invitation',
    tag: 'Account',
    role: 'read',
    answer: { kind: 'one', schema: InvitationViewSchema },
    errors: ['invitation_not_found'],
    handle: async ({ params }) => {
      const { email, tenantId } = await accounts.invitation(params.token ?? '');
      return { kind: 'data', data: { email, team: { name: await views.teamName(tenantId) } } };
    },
  });
}
