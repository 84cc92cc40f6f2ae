import { SessionSchema, SignUpSchema } from '../../../contract/session.ts';
import { type Operation, operation, smallBodyBytesMax } from '../../../http/operation.ts';
import type { AccountService } from '../account-service.ts';
import type { SessionViews } from '../session-views.ts';

export function signUp(accounts: AccountService, views: SessionViews): Operation {
  return operation({
    id: 'signUp',
    method: 'POST',
    path: '/account',
    place: 'root',
    session: 'open',
    flavours: ['selfHosted', 'managed'],
    summary: 'Sign up and log in',
    tag: 'Account',
    role: 'read',
    body: SignUpSchema,
    bodyBytesMax: smallBodyBytesMax,
    admit: (address) => accounts.countAttempt(address),
    answer: { kind: 'one', schema: SessionSchema },
    errors: ['registration_closed', 'conflict', 'cross_origin'],
    handle: async ({ body, address = '' }) => {
      const { token, session } = await accounts.signUp(body, address);
      return { kind: 'data', data: await views.view(session), session: { token } };
    },
  });
}
