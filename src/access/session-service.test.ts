import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../kernel/fake-clock.ts';
import { randomIds } from '../kernel/ids.ts';
import { FakeIdentityRepository } from './fake-identity-repository.ts';
import type { Account } from './session.ts';
import { SessionService, sessionMs } from './session-service.ts';
import { TeamAccounts } from './team-accounts.ts';

const dayMs = 24 * 3_600_000;
const account: Account = { id: 'a'.repeat(24), email: 'ada@example.com', passwordHash: '$1', tenantId: 'b'.repeat(24) };

let clock: FakeClock;
let identities: FakeIdentityRepository;
let sessions: SessionService;
beforeEach(async () => {
  clock = new FakeClock();
  identities = new FakeIdentityRepository();
  const making = { clock, ids: randomIds };
  sessions = new SessionService({ identities, home: new TeamAccounts(making), ...making });
  await identities.insertUser({ ...account, tenantId: 'b'.repeat(24), role: 'owner', createdAtMs: 0 });
});

describe('a session', () => {
  it('decisions K3: has a token of 256 random bits, of which only the SHA-256 is stored', async () => {
    const { token } = await sessions.open(account);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(identities.state)).not.toContain(token);
    expect(await sessions.find(token)).toMatchObject({ account, prolonged: false });
  });

  it('is prolonged at most once a day, so that reads stay reads', async () => {
    const { token } = await sessions.open(account);
    await clock.advance(dayMs - 1);
    expect(await sessions.find(token)).toMatchObject({ prolonged: false });
    await clock.advance(1);
    expect(await sessions.find(token)).toMatchObject({ prolonged: true });
    expect(await sessions.find(token)).toMatchObject({ prolonged: false });
    expect(identities.state.sessions[0]?.expiresAtMs).toBe(clock.nowMs() + sessionMs);
  });

  it('counts before its end and not at it; the next log-in removes what has expired', async () => {
    const { token } = await sessions.open(account);
    await clock.advance(sessionMs);
    expect(await sessions.find(token)).toBeUndefined();
    await sessions.open(account);
    expect(identities.state.sessions).toHaveLength(1);
  });

  it('ends with the account, and with the password that it was opened with', async () => {
    const [one, two] = [await sessions.open(account), await sessions.open(account)];
    await identities.updateUser(account.id, { passwordHash: '$2' });
    expect(await sessions.find(one.token)).toBeUndefined();
    await sessions.keep(two.id, { ...account, passwordHash: '$2' });
    expect(await sessions.find(two.token)).toBeDefined();
    await identities.removeUser('b'.repeat(24), account.id);
    expect(await sessions.find(two.token)).toBeUndefined();
  });
});
