import type { Operation } from '../../../http/operation.ts';
import type { AccountService } from '../account-service.ts';
import type { SessionViews } from '../session-views.ts';
import { changePassword } from './change-password.ts';
import { getInvitation } from './get-invitation.ts';
import { getSession } from './get-session.ts';
import { logIn } from './log-in.ts';
import { logOut } from './log-out.ts';
import { signUp } from './sign-up.ts';

/** Every operation of people on their own log-in; served on the web port only. */
export function accountOperations(accounts: AccountService, views: SessionViews): Operation[] {
  return [
    getSession(views),
    logIn(accounts, views),
    logOut(accounts),
    signUp(accounts, views),
    changePassword(accounts),
    getInvitation(accounts, views),
  ];
}
