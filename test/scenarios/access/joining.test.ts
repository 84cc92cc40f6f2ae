import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Browser, WebWorld } from '../../support/web-world.ts';

const owner = { email: 'ada@example.com', password: 'correct-horse-battery', name: 'Ada' };
const guest = { email: 'bob@example.com', password: 'staple-battery-horse' };

let world: WebWorld;
afterEach(() => world?.close());

const registrationOf = async (browser: Browser): Promise<unknown> =>
  ((await browser.send('GET', '/session')).data as { registration: unknown }).registration;

describe('signing up to a new self-hosted store', () => {
  it('makes the first person the owner of the team that is there (decisions S1), and closes registration', async () => {
    world = await WebWorld.open('selfHosted');
    const browser = world.browser();
    expect(await registrationOf(browser)).toBe('open');
    expect((await browser.send('POST', '/account', owner)).status).toBe(200);
    expect((await browser.send('GET', '/team/members')).data).toEqual([
      { id: expect.any(String), email: owner.email, name: 'Ada', role: 'owner', isCurrentUser: true },
    ]);
    // The nameless owner's key has become this person's.
    expect((await browser.send('GET', '/keys')).data).toMatchObject([{ name: 'first key' }]);
    const second = world.browser();
    expect(await registrationOf(second)).toBe('closed');
    const refused = await second.send('POST', '/account', guest);
    expect(refused.status).toBe(403);
    expect(refused.data).toEqual({ message: 'Registration is closed; ask a member of the team for an invitation.' });
    expect(second.cookie).toBeUndefined();
    expect((await second.send('GET', '/session')).data).toMatchObject({ user: null, team: null });
  });

  it('lets only one of several who sign up at the same moment in', async () => {
    world = await WebWorld.open('selfHosted');
    const emails = ['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com'];
    const statuses = await Promise.all(
      emails.map(async (email) => (await world.browser().send('POST', '/account', { ...owner, email })).status),
    );
    expect(statuses.sort()).toEqual([200, 403, 403, 403]);
  });

  it.each([
    ['short password', { ...owner, password: 'seven77' }, 'password: must have at least 8 characters'],
    ['no email', { ...owner, email: 'ada at example' }, 'email'],
    ['an invitation that is none', { ...owner, invitation: 'nothing' }, 'The invitation is not valid'],
  ])('rejects %s and leaves registration open', async (_what, body, text) => {
    world = await WebWorld.open('selfHosted');
    const answer = await world.browser().send('POST', '/account', body);
    expect([400, 403]).toContain(answer.status);
    expect(answer.text).toContain(text);
    expect(await registrationOf(world.browser())).toBe('open');
  });
});

describe('signing up to a store that provisioning has filled', () => {
  const team = (user: object) => ({ teams: [{ name: 'Shop', users: [{ email: 'ada@example.com', ...user }] }] });

  it('is closed from the start if a user has a password', async () => {
    world = await WebWorld.open('selfHosted', { provisioning: team({ password: 'correct-horse-battery' }) });
    const browser = world.browser();
    expect(await registrationOf(browser)).toBe('closed');
    expect((await browser.send('POST', '/account', guest)).status).toBe(403);
    expect((await browser.send('POST', '/session', { email: owner.email, password: owner.password })).status).toBe(200);
  });

  it('gives a provisioned user without password that password', async () => {
    world = await WebWorld.open('selfHosted', { provisioning: team({}) });
    const browser = world.browser();
    expect(await registrationOf(browser)).toBe('open');
    expect((await browser.send('POST', '/account', owner)).data).toMatchObject({ team: { name: 'Shop' } });
    expect((await browser.send('GET', '/team/members')).data).toHaveLength(1);
  });
});

describe('an invitation', () => {
  let ada: Browser;
  beforeEach(async () => {
    world = await WebWorld.open('selfHosted');
    ada = world.browser();
    await ada.send('POST', '/account', owner);
  });

  const invite = async (email = guest.email): Promise<{ url: string; invitationId: string; token: string }> => {
    const answer = await ada.send('POST', '/team/invitation', { email });
    expect(answer.status, answer.text).toBe(200);
    const data = answer.data as { url: string; invitationId: string };
    return { ...data, token: new URL(data.url).searchParams.get('token') ?? '' };
  };
  const join = (token: string, person: object = guest) =>
    world.browser().send('POST', '/account', { ...person, invitation: token });

  it('contract §10: is created for a lower-case address, listed, and the same when requested again', async () => {
    const first = await ada.send('POST', '/team/invitation', { email: 'Bob@Example.com', name: 'Bob' });
    expect(first.data).toEqual({
      email: 'bob@example.com',
      invitationId: expect.stringMatching(/^[0-9a-f]{24}$/),
      status: 'pending',
      url: expect.stringMatching(/^https:\/\/obs\.example\.com\/watch\/join\?token=[0-9a-f]{64}$/),
    });
    const many = await Promise.all([invite(), invite(), invite()]);
    for (const { url } of many) expect(url).toBe((first.data as { url: string }).url);
    expect((await ada.send('GET', '/team/invitations')).data).toMatchObject([
      { email: 'bob@example.com', name: 'Bob', url: many[0]?.url },
    ]);
  });

  it('decisions F8: has no role, which is rejected with an explanation; null means absent', async () => {
    const answer = await ada.send('POST', '/team/invitation', {
      email: guest.email,
      roleId: '507f1f77bcf86cd799439011',
    });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('roleId: is not supported; everyone')]);
    expect((await ada.send('GET', '/team/invitations')).data).toEqual([]);
    expect((await ada.send('POST', '/team/invitation', { email: guest.email, roleId: null })).status).toBe(200);
  });

  it('lets the person in once, and only with the address that it was made for', async () => {
    const { token } = await invite();
    expect((await world.browser().send('GET', `/invitations/${token}`)).data).toEqual({
      email: guest.email,
      team: { name: 'Default' },
    });
    expect((await join(token, { ...guest, email: 'eve@example.com' })).status).toBe(403);
    const joined = await join(token);
    expect(joined.data).toMatchObject({ user: { email: guest.email }, team: { name: 'Default' } });
    expect((await ada.send('GET', '/team/members')).data).toMatchObject([
      { email: owner.email, role: 'owner', isCurrentUser: true },
      { email: guest.email, role: 'member', isCurrentUser: false },
    ]);
    expect((await join(token, { ...guest, email: 'carol@example.com' })).status).toBe(403);
    expect((await world.browser().send('GET', `/invitations/${token}`)).status).toBe(404);
    expect((await ada.send('GET', '/team/invitations')).data).toEqual([]);
  });

  it('lets one of two in who use it at the same moment', async () => {
    const { token } = await invite();
    const statuses = await Promise.all([join(token), join(token)]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 403]);
  });

  it('ends after seven days, and when it is withdrawn', async () => {
    const { token } = await invite();
    await world.clock.advance(7 * 24 * 3_600_000);
    expect((await join(token)).status).toBe(403);
    expect((await world.browser().send('GET', `/invitations/${token}`)).status).toBe(404);
    const renewed = await invite();
    expect(renewed.token).not.toBe(token);
    const removal = await ada.send('DELETE', `/team/invitation/${renewed.invitationId}`);
    expect(removal.data).toEqual({ success: true });
    expect((await join(renewed.token)).status).toBe(403);
    expect((await ada.send('DELETE', `/team/invitation/${renewed.invitationId}`)).status).toBe(404);
  });

  it('contract §10: for an existing member is 400', async () => {
    const answer = await ada.send('POST', '/team/invitation', { email: owner.email.toUpperCase() });
    expect(answer.status).toBe(400);
    expect(answer.data).toEqual({ message: 'email: already belongs to a member of this team.' });
  });

  it('does not reveal whether another team knows the address, when it is made and when it is used', async () => {
    const other = { email: 'eve@elsewhere.example', password: 'correct-horse-battery' };
    await world.provision({ teams: [{ name: 'Elsewhere', users: [other] }] });
    const known = await ada.send('POST', '/team/invitation', { email: other.email });
    const unknown = await ada.send('POST', '/team/invitation', { email: 'nobody@elsewhere.example' });
    expect([known.status, unknown.status]).toEqual([200, 200]);
    expect(Object.keys(known.data as object)).toEqual(Object.keys(unknown.data as object));
    const token = new URL((known.data as { url: string }).url).searchParams.get('token');
    const refused = await world.browser().send('POST', '/account', { ...other, invitation: token });
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining('is not valid for this email address'),
    ]);
  });

  it('is neither stored nor logged in the clear', async () => {
    const { token } = await invite();
    const stored = await world.metadata.identities.listInvitations((await teamId()) ?? '');
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(JSON.stringify(world.logger.lines)).not.toContain(token);
  });

  const teamId = async (): Promise<string | undefined> => ((await ada.send('GET', '/team')).data as { id: string }).id;
});

describe('the team', () => {
  it('is renamed, shows the new name immediately, and shows how long telemetry is kept', async () => {
    world = await WebWorld.open('selfHosted');
    const browser = world.browser();
    await browser.send('POST', '/account', owner);
    expect((await browser.send('PUT', '/team', { name: ' Platform ' })).data).toMatchObject({ name: 'Platform' });
    expect((await browser.send('GET', '/session')).data).toMatchObject({ team: { name: 'Platform' } });
    expect((await browser.send('PUT', '/team', { name: '   ' })).status).toBe(400);
    expect((await browser.send('GET', '/team/retention')).data).toEqual({
      logsDays: 30,
      tracesDays: 14,
      metricsDays: 7,
    });
  });

  it('has a time zone; what is omitted stays as it is', async () => {
    world = await WebWorld.open('selfHosted');
    const browser = world.browser();
    await browser.send('POST', '/account', owner);
    expect((await browser.send('GET', '/team')).data).toMatchObject({ timezone: 'UTC' });
    const named = (await browser.send('PUT', '/team', { name: 'Platform' })).data;
    expect((await browser.send('PUT', '/team', { timezone: 'Asia/Kolkata' })).data).toEqual({
      ...(named as object),
      timezone: 'Asia/Kolkata',
    });
    expect((await browser.send('GET', '/team')).data).toMatchObject({ name: 'Platform', timezone: 'Asia/Kolkata' });
    const wrong = await browser.send('PUT', '/team', { name: 'Other', timezone: 'Mars/Olympus' });
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('timezone: must be a name of the IANA')]);
    expect((await browser.send('GET', '/team')).data).toMatchObject({ name: 'Platform' });
  });

  it('may take any name: that another team has it already is not revealed', async () => {
    world = await WebWorld.open('selfHosted');
    const browser = world.browser();
    await browser.send('POST', '/account', owner);
    const other = { id: 'b'.repeat(24), kind: 'team' as const, name: 'Elsewhere', telemetryDatabase: 'otel_elsewhere' };
    await world.metadata.identities.insertTenant(other, 1);
    expect(await browser.send('PUT', '/team', { name: 'Elsewhere' })).toMatchObject({ status: 200 });
  });

  const removals: [string, (id: string) => string][] = [
    ['the path of the contract', (id) => `/team/member/${id}`],
    ['the path of clients that know roles, which take a 404 for done', (id) => `/team/members/${id}/role`],
  ];
  it.each(removals)(
    'U-84: a person who leaves loses sessions and keys; what belongs to the team stays: %s',
    async (_name, pathOf) => {
      world = await WebWorld.open('selfHosted');
      const ada = world.browser();
      await ada.send('POST', '/account', owner);
      const { url } = (await ada.send('POST', '/team/invitation', { email: guest.email })).data as { url: string };
      const bob = world.browser();
      await bob.send('POST', '/account', { ...guest, invitation: new URL(url).searchParams.get('token') });
      const { key } = (await bob.send('POST', '/keys', { name: 'mine' })).data as { key: string };
      const collectors = (await bob.send('POST', '/ingestion-keys', { name: 'collectors' })).data as { id: string };
      const [self, other] = (await ada.send('GET', '/team/members')).data as { id: string }[];
      expect((await ada.send('DELETE', pathOf(self?.id ?? ''))).status).toBe(400);
      expect((await bob.send('DELETE', pathOf(self?.id ?? ''))).text).toContain('The owner cannot be removed.');
      expect((await ada.send('DELETE', pathOf(other?.id ?? ''))).data).toEqual({ success: true });
      expect((await bob.send('GET', '/team')).status).toBe(401);
      const headers = { authorization: `Bearer ${key}` };
      expect((await world.send('api', 'GET', '/team', { headers })).status).toBe(401);
      expect((await ada.send('GET', '/ingestion-keys')).data).toContainEqual(
        expect.objectContaining({ id: collectors.id }),
      );
      expect((await ada.send('DELETE', pathOf(other?.id ?? ''))).status).toBe(404);
    },
  );
});

it('U-83: invitations, members and keys of another team look like those that do not exist', async () => {
  const users = (name: string) => [{ email: `${name}@example.com`, password: 'correct-horse-battery' }];
  world = await WebWorld.open('selfHosted', {
    provisioning: {
      teams: [
        { name: 'Own', users: users('ada') },
        { name: 'Foreign', users: users('eve') },
      ],
    },
  });
  const [ada, eve] = [world.browser(), world.browser()];
  await ada.send('POST', '/session', { email: 'ada@example.com', password: 'correct-horse-battery' });
  await eve.send('POST', '/session', { email: 'eve@example.com', password: 'correct-horse-battery' });
  const { invitationId } = (await ada.send('POST', '/team/invitation', { email: guest.email })).data as {
    invitationId: string;
  };
  const { id } = (await ada.send('POST', '/keys', { name: 'mine' })).data as { id: string };
  const ingestion = (await ada.send('POST', '/ingestion-keys', { name: 'ours' })).data as { id: string };
  const [member] = (await ada.send('GET', '/team/members')).data as { id: string }[];
  const missing = 'ffffffffffffffffffffffff';
  const attempts: [string, (id: string) => string, string, unknown?][] = [
    ['DELETE', (of) => `/team/invitation/${of}`, invitationId],
    ['DELETE', (of) => `/team/member/${of}`, member?.id ?? ''],
    ['DELETE', (of) => `/team/members/${of}/role`, member?.id ?? ''],
    ['DELETE', (of) => `/keys/${of}`, id],
    ['PUT', (of) => `/keys/${of}`, id, { name: 'stolen' }],
    ['POST', (of) => `/keys/${of}/rotate`, id, {}],
    ['DELETE', (of) => `/ingestion-keys/${of}`, ingestion.id],
    ['POST', (of) => `/ingestion-keys/${of}/rotate`, ingestion.id, {}],
    // A kind of key is reached by its own path only.
    ['DELETE', (of) => `/keys/${of}`, ingestion.id],
  ];
  for (const [method, path, known, body] of attempts) {
    const foreign = await eve.send(method, path(known), body);
    const nothing = await eve.send(method, path(missing), body);
    expect(foreign.status, `${method} ${path('…')}`).toBe(404);
    expect([foreign.status, foreign.data]).toEqual([nothing.status, nothing.data]);
  }
  for (const path of ['/team/invitations', '/keys', '/ingestion-keys']) {
    expect((await eve.send('GET', path)).data).toEqual([]);
    expect((await ada.send('GET', path)).data).toHaveLength(1);
  }
});
