import { afterEach, describe, expect, it } from 'vitest';
import { proxyTokenHeader, proxyTokenOf } from '../../../src/access/proxy-token.ts';
import type { FlavourName } from '../../../src/http/operation.ts';
import { type Browser, publicOrigin, WebWorld } from '../../support/web-world.ts';

const dayMs = 24 * 3_600_000;
const person = { email: 'Ada@Example.com', password: 'correct-horse-battery', name: 'Ada' };
const logIn = { email: 'ada@example.com', password: person.password };

let world: WebWorld;
afterEach(() => world?.close());

async function signedUp(flavour: FlavourName = 'selfHosted'): Promise<Browser> {
  world = await WebWorld.open(flavour);
  const browser = world.browser();
  expect((await browser.send('POST', '/account', person)).status).toBe(200);
  return browser;
}

async function loggedIn(): Promise<Browser> {
  const browser = world.browser();
  expect((await browser.send('POST', '/session', logIn)).status).toBe(200);
  return browser;
}

const userOf = async (browser: Browser): Promise<unknown> =>
  ((await browser.send('GET', '/session')).data as { user: unknown }).user;

describe.each(['selfHosted', 'managed'] as const)('the session of a person, %s', (flavour) => {
  it('is opened by signing up, shown by GET /session, ended by logging out and opened again', async () => {
    const browser = await signedUp(flavour);
    const session = (await browser.send('GET', '/session')).data;
    expect(session).toMatchObject({
      user: { email: 'ada@example.com', name: 'Ada' },
      registration: 'closed',
      flavour: flavour === 'managed' ? 'managed' : 'self-hosted',
    });
    expect(session).toMatchObject(
      flavour === 'managed'
        ? { team: null, organizations: [{ name: 'Default' }] }
        : { team: { name: 'Default' }, organizations: [] },
    );
    const { cookie } = browser;
    const out = await browser.send('DELETE', '/session');
    expect(out.status).toBe(200);
    expect(browser.cookie).toBeUndefined();
    // The session has ended in the store: keeping the cookie does not help.
    browser.cookie = cookie;
    expect(await userOf(browser)).toBeNull();
    expect(await userOf(await loggedIn())).toMatchObject({ email: 'ada@example.com' });
  });

  it('without a session, a browser is asked to log in, and a program for its key', async () => {
    const { cookie = '' } = await signedUp(flavour);
    await world.send('web', 'DELETE', '/session', { headers: { cookie, 'sec-fetch-site': 'same-origin' } });
    const list = flavour === 'managed' ? '/organizations' : '/team';
    const textOf = async (headers: Record<string, string>) => (await world.send('web', 'GET', list, { headers })).text;
    for (const headers of [{ cookie }, { 'sec-fetch-site': 'same-origin' }]) {
      expect(await textOf(headers)).toContain('You are not logged in, or your session has ended. Log in again.');
    }
    expect(await textOf({})).toContain('The API key is missing or invalid.');
    expect(await textOf({ cookie, authorization: 'Bearer x' })).toContain('The API key is missing or invalid.');
  });

  it('decisions K3: the cookie is HttpOnly, SameSite, limited to the sub-path and secure; the store has only a hash', async () => {
    const browser = await signedUp(flavour);
    const answer = await browser.send('POST', '/session', logIn);
    expect(answer.headers['set-cookie']).toMatch(
      /^signalbox_session=[0-9a-f]{64}; Path=\/watch; HttpOnly; SameSite=Lax; Secure; Max-Age=1209600$/,
    );
    expect(answer.headers['cache-control']).toBe('no-store');
    const token = browser.cookie?.split('=')[1] ?? '';
    expect(await world.metadata.identities.findSessionByHash(token)).toBeUndefined();
    const secrets = [token, person.password, '$argon2'];
    for (const secret of secrets) expect(JSON.stringify(world.logger.lines)).not.toContain(secret);
    for (const secret of secrets) expect(answer.text).not.toContain(secret);
  });

  it('counts on the web port only: on the API port its routes do not exist and the cookie opens nothing', async () => {
    const { cookie = '' } = await signedUp(flavour);
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    const routes = [
      ['GET', '/session'],
      ['POST', '/session'],
      ['DELETE', '/session'],
      ['POST', '/account'],
      ['PUT', '/account/password'],
    ] as const;
    for (const [method, path] of routes) {
      const answer = await world.send('api', method, path, { headers, ...(method === 'GET' ? {} : { body: logIn }) });
      expect(answer.status, `${method} ${path}`).toBe(404);
    }
    const list = flavour === 'managed' ? '/organizations' : '/team';
    expect((await world.send('web', 'GET', list, { headers })).status).toBe(200);
    expect((await world.send('api', 'GET', list, { headers })).status).toBe(401);
    const document = (port: 'web' | 'api') => world.send(port, 'GET', '/openapi.json');
    expect((await document('web')).text).toContain('"getSession"');
    expect((await document('api')).text).not.toContain('"getSession"');
  });

  it('counts on the API port when the web role of another process vouches for the request', async () => {
    const { cookie = '' } = await signedUp(flavour);
    const token = proxyTokenOf('a secret key for tests');
    const through = (given: string, more: object = {}) =>
      world.send('api', 'DELETE', '/session', {
        headers: { cookie, [proxyTokenHeader]: given, 'x-forwarded-host': 'obs.example.com', ...more },
      });
    expect((await through(token.replace(/.$/, 'x'))).status).toBe(404);
    expect((await through(token, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await through(token, { origin: publicOrigin })).status).toBe(200);
  });
});

describe('requests from other web sites', () => {
  it('cannot change anything with the cookie of a visitor', async () => {
    const { cookie = '' } = await signedUp();
    const change = (headers: Record<string, string>) =>
      world.send('web', 'PUT', '/team', {
        body: { name: 'Changed' },
        headers: { cookie, host: 'watch.internal:8080', ...headers },
      });
    const foreign = [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'https://other.example.com' },
      { 'sec-fetch-site': 'none' },
      // A page elsewhere cannot lie about where it is, but a header alone does not convince either.
      { 'sec-fetch-site': 'cross-site', origin: 'http://watch.internal:8080' },
    ];
    for (const headers of foreign) {
      const answer = await change(headers);
      expect(answer.status, JSON.stringify(headers)).toBe(403);
      expect(answer.data).toEqual({ message: 'This request does not come from the web UI.' });
    }
    expect((await world.send('web', 'GET', '/team', { headers: { cookie } })).data).toMatchObject({ name: 'Default' });
    for (const headers of [
      { 'sec-fetch-site': 'same-origin' },
      { origin: publicOrigin },
      { origin: 'http://watch.internal:8080' },
    ]) {
      expect((await change(headers)).status, JSON.stringify(headers)).toBe(200);
    }
  });

  it('cannot log a visitor in as someone else; a program without a browser can log in', async () => {
    await signedUp();
    const attempt = (headers: Record<string, string>) =>
      world.send('web', 'POST', '/session', { body: logIn, headers });
    expect((await attempt({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await attempt({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await attempt({})).status).toBe(200);
  });

  it('a key in Authorization counts before the cookie, and needs no origin', async () => {
    const { cookie = '' } = await signedUp();
    const authorization = `Bearer ${world.firstKeys?.personalApiKey}`;
    const request = { body: { name: 'By key' }, headers: { cookie, authorization } };
    expect((await world.send('web', 'PUT', '/team', request)).status).toBe(200);
    const wrong = { headers: { cookie, authorization: 'Bearer wrong' } };
    expect((await world.send('web', 'GET', '/team', wrong)).status).toBe(401);
  });
});

describe('the end of a session', () => {
  it('comes 14 days after the last use; use moves it, and the cookie with it', async () => {
    const browser = await signedUp();
    await world.clock.advance(13 * dayMs);
    const used = await browser.send('GET', '/session');
    expect(used.headers['set-cookie']).toContain('Max-Age=1209600');
    await world.clock.advance(13 * dayMs);
    expect(await userOf(browser)).not.toBeNull();
    await world.clock.advance(14 * dayMs);
    expect(await userOf(browser)).toBeNull();
    expect((await browser.send('GET', '/team')).status).toBe(401);
  });

  it('comes with another password for all sessions but the one that changed it', async () => {
    const browser = await signedUp();
    const elsewhere = await loggedIn();
    const change = (currentPassword: string) =>
      browser.send('PUT', '/account/password', { currentPassword, newPassword: 'another-long-password' });
    expect((await change('not-the-password')).status).toBe(400);
    expect(await userOf(elsewhere)).not.toBeNull();
    expect((await change(person.password)).status).toBe(200);
    expect(await userOf(browser)).not.toBeNull();
    expect(await userOf(elsewhere)).toBeNull();
    expect((await browser.send('POST', '/session', logIn)).status).toBe(401);
  });

  it('comes as well when the password is set from the command line or by provisioning', async () => {
    const browser = await signedUp();
    const { identities } = world.metadata;
    const user = await identities.findUserByEmail('ada@example.com');
    await identities.updateUser(user?.id ?? '', { passwordHash: 'another hash' });
    expect(await userOf(browser)).toBeNull();
  });

  it('comes for the oldest when one person opens more than twenty', async () => {
    const first = await signedUp();
    const second = await loggedIn();
    for (let more = 0; more < 19; more++) await loggedIn();
    expect(await userOf(first)).toBeNull();
    expect(await userOf(second)).not.toBeNull();
  });

  it('a token that was never issued is not a session, whatever it looks like', async () => {
    const browser = await signedUp();
    for (const token of ['', 'x', '0'.repeat(64), '../../etc', 'a'.repeat(20_000)]) {
      browser.cookie = `signalbox_session=${token}`;
      expect(await userOf(browser)).toBeNull();
    }
  });
});

describe('logging in', () => {
  it('answers a wrong password and an unknown email alike', async () => {
    await signedUp();
    const wrong = await world.browser().send('POST', '/session', { ...logIn, password: 'wrong-password' });
    const unknown = await world.browser().send('POST', '/session', { ...logIn, email: 'eve@example.com' });
    expect(wrong.status).toBe(401);
    expect(wrong.data).toEqual({ message: 'The email address or the password is wrong.' });
    expect([unknown.status, unknown.data]).toEqual([wrong.status, wrong.data]);
    expect(wrong.headers['set-cookie']).toBeUndefined();
  });

  it('is limited per address and email; a success clears the count, and others are not shut out', async () => {
    await signedUp();
    const attempt = (email: string, password: string) => world.browser().send('POST', '/session', { email, password });
    for (let count = 0; count < 9; count++) expect((await attempt(logIn.email, 'wrong-password')).status).toBe(401);
    expect((await attempt(logIn.email, logIn.password)).status).toBe(200);
    for (let count = 0; count < 10; count++) expect((await attempt(logIn.email, 'wrong-password')).status).toBe(401);
    const refused = await attempt(logIn.email.toUpperCase(), logIn.password);
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('900');
    expect((await attempt('eve@example.com', 'wrong-password')).status).toBe(401);
    await world.clock.advance(15 * 60_000);
    expect((await attempt(logIn.email, logIn.password)).status).toBe(200);
  });

  it('counts the addresses that a separate web role has seen, not its own', async () => {
    await signedUp();
    const attempt = (address: string, given: string) =>
      world.send('api', 'POST', '/session', {
        body: { ...logIn, password: 'wrong-password' },
        headers: { [proxyTokenHeader]: given, 'x-forwarded-for': `9.9.9.9, ${address}` },
      });
    const token = proxyTokenOf('a secret key for tests');
    for (let count = 0; count < 10; count++) expect((await attempt('1.2.3.4', token)).status).toBe(401);
    expect((await attempt('1.2.3.4', token)).status).toBe(429);
    expect((await attempt('1.2.3.5', token)).status).toBe(401);
    // On the web port a client cannot choose its address by a header.
    const direct = (address: string) =>
      world.send('web', 'POST', '/session', {
        body: { ...logIn, password: 'wrong-password' },
        headers: { 'x-forwarded-for': address },
      });
    for (let count = 0; count < 10; count++) expect((await direct(`1.2.3.${count}`)).status).toBe(401);
    expect((await direct('1.2.3.99')).status).toBe(429);
  });

  it.each([
    ['no password', { email: 'ada@example.com' }],
    ['no email address', { ...logIn, email: 'ada' }],
    ['a password that is too long to be one', { ...logIn, password: 'x'.repeat(1025) }],
  ])('rejects %s with 400', async (_what, body) => {
    await signedUp();
    expect((await world.browser().send('POST', '/session', body)).status).toBe(400);
  });

  it('U-82: a name in a header of a proxy opens nothing', async () => {
    await signedUp();
    const headers = { 'x-forwarded-user': 'ada@example.com', 'x-remote-user': 'ada@example.com' };
    expect((await world.send('web', 'GET', '/team', { headers })).status).toBe(401);
  });
});

it('sessions have a separate request limit, wider than that of managed keys', async () => {
  world = await WebWorld.open('managed', { rateLimit: { requests: 2, windowMs: 10_000 } });
  const browser = world.browser();
  await browser.send('POST', '/account', person);
  for (let count = 0; count < 600; count++) {
    expect((await browser.send('GET', '/organizations')).status).toBe(200);
  }
  expect((await browser.send('GET', '/organizations')).status).toBe(429);
  expect((await browser.send('GET', '/session')).status).toBe(200);
});
