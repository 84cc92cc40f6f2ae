import { LogInSchema, SessionSchema } from '../../../contract/session.ts';
import { type Operation, operation, smallBodyBytesMax } from '../../../http/operation.ts';
import type { AccountService } from '../account-service.ts';
import type { SessionViews } from '../session-views.ts';

export function logIn(accounts: AccountService, views: SessionViews): Operation {
  return operation({
    id: 'logIn',
    method: 'POST',
    path: '/session',
    place: 'root',
    session: 'open',
    flavours: ['selfHosted', 'managed'],
    summary: 'Log in',
    tag: 'Account',
    role: 'read',
    body: LogInSchema,
    bodyBytesMax: smallBodyBytesMax,
    admit: (address) => accounts.countAttempt(address),
    answer: { kind: 'one', schema: SessionSchema },
    errors: ['login_failed', 'cross_origin'],
    handle: async ({ body, address = '' }) => {
      const { token, session } = await accounts.logIn(body, address);
      return { kind: 'data', data: await views.view(session), session: { token } };
    },
  });
}
