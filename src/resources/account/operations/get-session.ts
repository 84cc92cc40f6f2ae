import { SessionSchema } from '../../../contract/session.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { SessionViews } from '../session-views.ts';

export function getSession(views: SessionViews): Operation {
  return operation({
    id: 'getSession',
    method: 'GET',
    path: '/session',
    place: 'root',
    session: 'open',
    flavours: ['selfHosted', 'managed'],
    summary: 'Get the current session',
    tag: 'Account',
    role: 'read',
    answer: { kind: 'one', schema: SessionSchema },
    errors: [],
    handle: async ({ session }) => ({ kind: 'data', data: await views.view(session) }),
  });
}
