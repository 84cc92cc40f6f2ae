import { type Operation, operation } from '../../../http/operation.ts';
import type { AccountService } from '../account-service.ts';

/** Ends the session in the store, not only in the browser; without one nothing is left to do. */
export function logOut(accounts: AccountService): Operation {
  return operation({
    id: 'logOut',
    method: 'DELETE',
    path: '/session',
    place: 'root',
    session: 'open',
    flavours: ['selfHosted', 'managed'],
    summary: 'Log out',
    tag: 'Account',
    role: 'read',
    answer: { kind: 'none' },
    errors: ['cross_origin'],
    handle: async ({ session }) => {
      if (session) await accounts.logOut(session);
      return { kind: 'none', session: 'ended' };
    },
  });
}
