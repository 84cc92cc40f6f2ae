import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IngestionKeyAuthenticator } from '../../../src/access/key-authenticators.ts';
import { KeyLookup } from '../../../src/access/key-lookup.ts';
import { type Browser, WebWorld } from '../../support/web-world.ts';

const hourMs = 3_600_000;
const owner = { email: 'ada@example.com', password: 'correct-horse-battery' };

interface Made {
  id: string;
  key: string;
  prefix: string;
}

let world: WebWorld;
let ada: Browser;
beforeEach(async () => {
  world = await WebWorld.open('selfHosted');
  ada = world.browser();
  await ada.send('POST', '/account', owner);
});
afterEach(() => world.close());

async function make(path: string, body: object): Promise<Made> {
  const answer = await ada.send('POST', path, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.data as Made;
}

async function statusWith(key: string, method = 'GET', path = '/team', body?: object): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  return (await world.send('api', method, path, { headers, ...(body ? { body } : {}) })).status;
}

async function isIngestionKey(key: string): Promise<boolean> {
  const { clock, logger, metadata } = world;
  const lookup = new KeyLookup({ keys: metadata.identities, clock, logger });
  return (await new IngestionKeyAuthenticator(lookup).authenticateIngestion(key)) !== undefined;
}

describe('personal API access keys', () => {
  it('decisions K2: are shown once, stored as a hash, and listed by their first characters', async () => {
    const made = await make('/keys', { name: 'CI' });
    expect(made.key).toMatch(/^[0-9a-f]{40}$/);
    const list = await ada.send('GET', '/keys');
    expect(list.data).toMatchObject([
      { name: 'first key', prefix: world.firstKeys?.personalApiKey.slice(0, 6) },
      { id: made.id, name: 'CI', prefix: made.key.slice(0, 6), role: 'admin', expiresAt: null, lastUsedAt: null },
    ]);
    expect(list.text).not.toContain(made.key);
    expect(list.text).not.toContain('hash');
    expect(JSON.stringify(world.logger.lines)).not.toContain(made.key);
    expect(JSON.stringify(await world.metadata.identities.findKey(made.id))).not.toContain(made.key);
  });

  it('with an end make no key that outlives them, and prolong neither themselves nor others', async () => {
    const end = (hours: number) => new Date(world.clock.nowMs() + hours * hourMs).toISOString();
    const forever = await make('/keys', { name: 'forever' });
    const short = await make('/keys', { name: 'short', expiresAt: end(2) });
    const as = (method: string, path: string, body: object) =>
      world.send('api', method, path, { headers: { authorization: `Bearer ${short.key}` }, body });
    const refused = [
      await as('POST', '/keys', { name: 'a' }),
      await as('POST', '/keys', { name: 'a', expiresAt: null }),
      await as('POST', '/keys', { name: 'a', expiresAt: end(3) }),
      await as('POST', '/ingestion-keys', { name: 'a' }),
      await as('PUT', `/keys/${short.id}`, { name: 'short', expiresAt: null }),
      await as('PUT', `/keys/${short.id}`, { name: 'short', expiresAt: end(3) }),
      await as('PUT', `/keys/${forever.id}`, { name: 'forever', expiresAt: null }),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 400));
    for (const { data } of refused) expect(data).toMatchObject({ message: expect.stringContaining('expiresAt') });

    expect((await as('POST', '/keys', { name: 'shorter', expiresAt: end(1) })).status).toBe(200);
    expect((await as('PUT', `/keys/${forever.id}`, { name: 'renamed' })).status).toBe(200);
    await world.clock.advance(hourMs);
    for (const { id } of [forever, short]) {
      const rotated = (await as('POST', `/keys/${id}/rotate`, { overlapHours: 1 })).data as { expiresAt: string };
      expect(rotated.expiresAt).toBe(end(1));
    }
  });

  it('show when they were used last', async () => {
    const { id, key } = await make('/keys', { name: 'CI' });
    expect(await statusWith(key)).toBe(200);
    await expect
      .poll(async () => (await ada.send('GET', '/keys')).data)
      .toContainEqual(expect.objectContaining({ id, lastUsedAt: new Date(world.clock.nowMs()).toISOString() }));
  });

  it('U-80: are replaced immediately, without waiting for the old one to end', async () => {
    const { id, key } = await make('/keys', { name: 'CI' });
    const next = await make(`/keys/${id}/rotate`, {});
    expect(next).toMatchObject({ name: 'CI', role: 'admin' });
    expect(await statusWith(next.key)).toBe(200);
    expect(await statusWith(key)).toBe(401);
    expect((await ada.send('POST', `/keys/${id}/rotate`, {})).status).toBe(404);
  });

  it('U-80: with an overlap both count, until it is over', async () => {
    const { id, key } = await make('/keys', { name: 'CI', role: 'read' });
    const next = await make(`/keys/${id}/rotate`, { overlapHours: 24 });
    expect(next).toMatchObject({ role: 'read' });
    expect([await statusWith(key), await statusWith(next.key)]).toEqual([200, 200]);
    await world.clock.advance(24 * hourMs - 1);
    expect(await statusWith(key)).toBe(200);
    await world.clock.advance(1);
    expect([await statusWith(key), await statusWith(next.key)]).toEqual([401, 200]);
    expect((await ada.send('POST', `/keys/${id}/rotate`, {})).status).toBe(409);
  });

  it('U-81: may be made to read only, for a purpose and a time', async () => {
    const expiresAt = new Date(world.clock.nowMs() + hourMs).toISOString();
    const { id, key } = await make('/keys', { name: 'dashboard on the wall', role: 'read', expiresAt });
    expect(await statusWith(key)).toBe(200);
    expect(await statusWith(key, 'PUT', '/team', { name: 'Changed' })).toBe(403);
    expect(await statusWith(key, 'POST', '/keys', { name: 'more' })).toBe(403);
    expect(await statusWith(key, 'GET', '/team/invitations')).toBe(403);
    expect((await ada.send('PUT', `/keys/${id}`, { name: 'wall', expiresAt: null })).data).toMatchObject({
      name: 'wall',
      expiresAt: null,
    });
    await world.clock.advance(hourMs);
    expect(await statusWith(key)).toBe(200);
  });

  it('end when they are deleted, and are gone from the list', async () => {
    const { id, key } = await make('/keys', { name: 'CI' });
    expect((await ada.send('DELETE', `/keys/${id}`)).status).toBe(200);
    expect(await statusWith(key)).toBe(401);
    expect((await ada.send('GET', '/keys')).data).toMatchObject([{ name: 'first key' }]);
    expect((await ada.send('DELETE', `/keys/${id}`)).status).toBe(404);
    expect((await ada.send('PUT', `/keys/${id}`, { name: 'x' })).status).toBe(404);
  });

  it('work through the API with a key of the same person, and belong to that person', async () => {
    const { key } = await make('/keys', { name: 'CI' });
    const headers = { authorization: `Bearer ${key}` };
    const second = await world.send('api', 'POST', '/keys', { headers, body: { name: 'made by a key' } });
    expect(second.status).toBe(200);
    expect((await ada.send('GET', '/keys')).text).toContain('made by a key');
  });

  it.each([
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['an expiry in the past', { name: 'x', expiresAt: '2001-01-01T00:00:00Z' }],
    ['an expiry that is no moment', { name: 'x', expiresAt: 'tomorrow' }],
    ['a moment that no calendar has', { name: 'x', expiresAt: '2030-13-45T00:00:00Z' }],
    ['an unknown role', { name: 'x', role: 'owner' }],
    ['a field of keys elsewhere', { name: 'x', expireAt: '2030-01-01T00:00:00Z' }],
  ])('reject %s with 400', async (_what, body) => {
    expect((await ada.send('POST', '/keys', body)).status).toBe(400);
    expect((await ada.send('GET', '/keys')).data).toHaveLength(1);
  });

  it('decisions F8: unknown keys are dropped', async () => {
    const { status, text } = await ada.send('POST', '/keys', { name: 'x', scope: 'all' });
    expect([status, text.includes('scope')]).toEqual([200, false]);
  });

  it('are at most a hundred valid ones of one person', async () => {
    for (let count = 1; count < 100; count++) await make('/keys', { name: `key ${count}` });
    const refused = await ada.send('POST', '/keys', { name: 'one more' });
    expect(refused.status).toBe(409);
    const [first] = (await ada.send('GET', '/keys')).data as Made[];
    await ada.send('DELETE', `/keys/${first?.id}`);
    expect((await ada.send('POST', '/keys', { name: 'one more' })).status).toBe(200);
  });
});

describe('ingestion keys', () => {
  it('U-79: are another kind, rejected by the API with a hint, as personal keys are by the collector', async () => {
    const { key } = await make('/ingestion-keys', { name: 'collectors' });
    const personal = await make('/keys', { name: 'CI' });
    expect(await isIngestionKey(key)).toBe(true);
    expect(await isIngestionKey(personal.key)).toBe(false);
    const headers = [
      {},
      { authorization: 'Bearer ' },
      { authorization: `Bearer ${key}` },
      { authorization: 'Basic YTpi' },
    ];
    for (const each of headers) {
      const answer = await world.send('api', 'GET', '/team', { headers: each });
      expect(answer.status).toBe(401);
      expect(answer.data).toEqual({ message: expect.stringContaining('personal API access key') });
    }
  });

  it('U-80: are rotated with an overlap, so that no collector has to stop', async () => {
    const { id, key } = await make('/ingestion-keys', { name: 'collectors' });
    const next = await make(`/ingestion-keys/${id}/rotate`, { overlapHours: 1 });
    expect([await isIngestionKey(key), await isIngestionKey(next.key)]).toEqual([true, true]);
    await world.clock.advance(hourMs);
    expect([await isIngestionKey(key), await isIngestionKey(next.key)]).toEqual([false, true]);
  });

  it('are listed without personal keys, and deleted', async () => {
    const { id, key } = await make('/ingestion-keys', { name: 'collectors' });
    await make('/keys', { name: 'CI' });
    const names = ((await ada.send('GET', '/ingestion-keys')).data as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(['first key', 'collectors']);
    await ada.send('DELETE', `/ingestion-keys/${id}`);
    expect(await isIngestionKey(key)).toBe(false);
  });
});
