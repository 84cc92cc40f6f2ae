import { AppError } from '../../../contract/errors.ts';
import { PasswordChangeSchema } from '../../../contract/session.ts';
import { type Operation, operation, smallBodyBytesMax } from '../../../http/operation.ts';
import type { AccountService } from '../account-service.ts';

export function changePassword(accounts: AccountService): Operation {
  return operation({
    id: 'changePassword',
    method: 'PUT',
    path: '/account/password',
    place: 'root',
    session: 'needed',
    flavours: ['selfHosted', 'managed'],
    summary: 'Change the password and end all other sessions',
    tag: 'Account',
    role: 'read',
    body: PasswordChangeSchema,
    bodyBytesMax: smallBodyBytesMax,
    admit: (address) => accounts.countAttempt(address),
    answer: { kind: 'none' },
    errors: ['request_invalid', 'cross_origin'],
    handle: async ({ session, body, address = '' }) => {
      if (!session) throw new AppError('unauthenticated');
      await accounts.changePassword(session, body, address);
      return { kind: 'none' };
    },
  });
}
