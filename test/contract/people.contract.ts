import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IdentityRepository } from '../../src/access/identity-repository.ts';
import type { Invitation } from '../../src/access/invitation.ts';
import type { OrganizationUser } from '../../src/access/organization-user.ts';
import type { StoredSession } from '../../src/access/session.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import type { OpenedIdentities } from './identity-repository.contract.ts';

const nowMs = Date.UTC(2026, 0, 1);
const hex24 = () => randomIds.hex24();

/** What every store does with sessions, invitations and people. Each case makes its own, so one store serves all. */
export function peopleContract(store: string, open: () => Promise<OpenedIdentities>): void {
  describe(`people on ${store}`, () => {
    let opened: OpenedIdentities;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());
    const repository = (): IdentityRepository => opened.identities;

    describe('sessions', () => {
      it('are found by their hash until they end', async () => {
        const [kept, ended] = [sessionOf(hex24()), sessionOf(hex24())];
        for (const session of [kept, ended]) await repository().insertSession(session);
        expect(await repository().findSessionByHash(kept.hash)).toEqual(kept);
        await repository().endSession(ended.id);
        expect(await repository().findSessionByHash(ended.hash)).toBeUndefined();
        expect(await repository().findSessionByHash(kept.hash)).toEqual(kept);
      });

      it('change only in the fields that are given', async () => {
        const session = sessionOf(hex24());
        await repository().insertSession(session);
        await repository().updateSession(session.id, { expiresAtMs: nowMs + 9 });
        expect(await repository().findSessionByHash(session.hash)).toEqual({ ...session, expiresAtMs: nowMs + 9 });
        await repository().updateSession(session.id, { passwordMark: 'another' });
        expect(await repository().findSessionByHash(session.hash)).toMatchObject({ passwordMark: 'another' });
        await repository().updateSession(hex24(), { expiresAtMs: 1 });
      });

      it('are trimmed to the newest of one account, and end with it', async () => {
        const [accountId, other] = [hex24(), hex24()];
        const sessions = [sessionOf(accountId), sessionOf(accountId), sessionOf(accountId)];
        const foreign = sessionOf(other);
        for (const session of [...sessions, foreign]) await repository().insertSession(session);
        await repository().trimSessions(accountId, 2);
        expect(await found([...sessions, foreign])).toEqual([false, true, true, true]);
        await repository().endSessionsOf(accountId);
        expect(await found([...sessions, foreign])).toEqual([false, false, false, true]);
      });

      it('are removed when they have expired, and not before', async () => {
        const [expired, valid] = [sessionOf(hex24(), nowMs), sessionOf(hex24(), nowMs + 1)];
        for (const session of [expired, valid]) await repository().insertSession(session);
        await repository().removeExpiredSessions(nowMs);
        expect(await found([expired, valid])).toEqual([false, true]);
      });

      it('are undone with the transaction that made them', async () => {
        const session = sessionOf(hex24());
        const run = repository().transaction(async (inside) => {
          await inside.insertSession(session);
          throw new Error('stop');
        });
        await expect(run).rejects.toThrow('stop');
        expect(await found([session])).toEqual([false]);
      });

      const found = (sessions: StoredSession[]): Promise<boolean[]> =>
        Promise.all(sessions.map(async ({ hash }) => (await repository().findSessionByHash(hash)) !== undefined));
    });

    describe('invitations', () => {
      it('are found by their hash and listed by creation, each for its own team', async () => {
        const tenantId = await newTeam(repository());
        const [first, second] = [invitationTo(tenantId), invitationTo(tenantId, { name: 'Bob' })];
        const foreign = invitationTo(await newTeam(repository()), { email: first.email });
        for (const each of [first, second, foreign]) await repository().saveInvitation(each);
        expect(await repository().findInvitationByHash(second.hash)).toEqual(second);
        expect(await repository().listInvitations(tenantId)).toEqual([first, second]);
      });

      it('for the same address take the place of the earlier one', async () => {
        const tenantId = await newTeam(repository());
        const first = invitationTo(tenantId, { name: 'Bob' });
        const { name: _name, ...second } = invitationTo(tenantId, { email: first.email, expiresAtMs: nowMs + 99 });
        await repository().saveInvitation(first);
        await repository().saveInvitation(second);
        const { id, createdAtMs } = first;
        expect(await repository().listInvitations(tenantId)).toEqual([{ ...second, id, createdAtMs }]);
        expect(await repository().findInvitationByHash(first.hash)).toBeUndefined();
      });

      it('are removed by their own team only', async () => {
        const invitation = invitationTo(await newTeam(repository()));
        await repository().saveInvitation(invitation);
        const foreign = await newTeam(repository());
        expect(await repository().removeInvitation(foreign, invitation.id)).toBe('missing');
        expect(await repository().removeInvitation(invitation.tenantId, invitation.id)).toBe('removed');
        expect(await repository().removeInvitation(invitation.tenantId, invitation.id)).toBe('missing');
      });
    });

    describe('users', () => {
      it('are removed with their personal keys, by their own team only', async () => {
        const [tenantId, foreign] = [await newTeam(repository()), await newTeam(repository())];
        const user = { id: hex24(), tenantId, role: 'member', createdAtMs: nowMs, passwordHash: '$x' } as const;
        await repository().insertUser(user);
        const key = { id: hex24(), kind: 'personal', tenantId, userId: user.id, name: 'ci', role: 'admin' } as const;
        await repository().insertKey({ ...key, hash: randomIds.secret(32), prefix: 'abc123', createdAtMs: nowMs });
        expect(await repository().hasUserPassword()).toBe(true);
        expect(await repository().findKey(key.id)).toMatchObject({ prefix: 'abc123' });
        expect(await repository().removeUser(foreign, user.id)).toBe('missing');
        expect(await repository().removeUser(tenantId, user.id)).toBe('removed');
        expect(await repository().findUser(user.id)).toBeUndefined();
        expect(await repository().findKey(key.id)).toBeUndefined();
      });
    });

    describe('users of organizations', () => {
      it('are found by id and email, which belongs to one of them, and change their password', async () => {
        const organizationId = randomIds.uuid();
        await repository().saveOrganization({ id: organizationId, name: 'Acme' }, nowMs);
        const user = organizationUser(organizationId, { name: 'Ada' });
        expect(await repository().insertOrganizationUser(user)).toBe('inserted');
        expect(await repository().hasOrganizationUser()).toBe(true);
        expect(await repository().findOrganizationUser(user.id)).toEqual(user);
        const again = organizationUser(organizationId, { email: user.email });
        expect(await repository().insertOrganizationUser(again)).toBe('emailTaken');
        await repository().setOrganizationUserPassword(user.id, '$y');
        expect(await repository().findOrganizationUserByEmail(user.email)).toEqual({ ...user, passwordHash: '$y' });
        expect(await repository().findOrganizationUser(again.id)).toBeUndefined();
      });
    });
  });
}

function sessionOf(accountId: string, expiresAtMs = nowMs + 1_000_000): StoredSession {
  return { id: hex24(), hash: randomIds.secret(32), accountId, passwordMark: 'mark', createdAtMs: nowMs, expiresAtMs };
}

function invitationTo(tenantId: string, more: Partial<Invitation> = {}): Invitation {
  const id = hex24();
  const hash = randomIds.secret(32);
  const times = { createdAtMs: nowMs, expiresAtMs: nowMs + 1 };
  return { id, tenantId, email: `${id}@example.com`, hash, sealedToken: 'sealed', ...times, ...more };
}

function organizationUser(organizationId: string, more: Partial<OrganizationUser> = {}): OrganizationUser {
  const id = hex24();
  return { id, organizationId, email: `${id}@example.com`, passwordHash: '$x', createdAtMs: nowMs, ...more };
}

async function newTeam(repository: IdentityRepository): Promise<string> {
  const id = hex24();
  await repository.insertTenant({ id, kind: 'team', name: `team ${id}`, telemetryDatabase: `otel_${id}` }, nowMs);
  return id;
}
