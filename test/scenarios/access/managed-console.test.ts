import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic, credentials, ids, twoTenancies } from '../../support/two-tenancies.ts';
import { type Browser, type WebAnswer, WebWorld } from '../../support/web-world.ts';

const person = { email: 'ada@example.com', password: 'correct-horse-battery' };
const own = `/organizations/${ids.organization}`;
const foreign = `/organizations/${ids.foreignOrganization}`;

let world: WebWorld;
let ada: Browser;
beforeAll(async () => {
  world = await WebWorld.open('managed', { provisioning: { organizations: twoTenancies.organizations } });
  ada = world.browser();
  expect((await ada.send('POST', '/account', person)).status).toBe(200);
});
afterAll(() => world?.close());

function byKey(credential: keyof typeof credentials, method: string, path: string, body?: object): Promise<WebAnswer> {
  const headers = { authorization: credentials[credential] ?? '' };
  return world.send('api', method, path, { headers, ...(body ? { body } : {}) });
}

describe('the organizations of a caller', () => {
  it('are the one of the person, or of the key', async () => {
    const expected = [{ id: ids.organization, name: 'Own' }];
    expect((await ada.send('GET', '/organizations')).data).toEqual(expected);
    for (const credential of ['cloud admin', 'cloud read', 'cloud of another service'] as const) {
      expect((await byKey(credential, 'GET', '/organizations')).data).toEqual(expected);
    }
    expect((await byKey('cloud of another organization', 'GET', '/organizations')).data).toEqual([
      { id: ids.foreignOrganization, name: 'Foreign' },
    ]);
    expect((await byKey('none', 'GET', '/organizations')).status).toBe(401);
    expect((await byKey('personal', 'GET', '/organizations')).status).toBe(401);
  });

  it('a second person cannot sign up: registration has closed', async () => {
    const answer = await world.browser().send('POST', '/account', { ...person, email: 'eve@example.com' });
    expect(answer.status).toBe(403);
    expect(answer.data).toMatchObject({ status: 403, error: expect.stringContaining('FORBIDDEN') });
  });
});

describe('another organization', () => {
  const paths = [
    foreign,
    `${foreign}/services`,
    `${foreign}/services/${ids.foreignService}`,
    `${foreign}/services/${ids.foreignService}/pipes`,
    `${foreign}/services/${ids.foreignService}/ingestion-keys`,
    `${foreign}/services/${ids.foreignService}/stack/sources`,
    `${own}/services/${ids.foreignService}`,
    `${own}/services/${ids.foreignService}/pipes`,
    `${own}/services/eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee`,
    `${foreign}/api-keys`,
  ];

  it.each(paths)('is forbidden whether it exists or not: GET %s', async (path) => {
    for (const answer of [await ada.send('GET', path), await byKey('cloud admin', 'GET', path)]) {
      expect(answer.status).toBe(403);
      expect(answer.text).not.toContain('Foreign');
    }
    const nowhere = path.replaceAll(ids.foreignOrganization, 'eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee');
    expect((await byKey('cloud admin', 'GET', nowhere)).text).toBe((await byKey('cloud admin', 'GET', path)).text);
  });

  it('is not changed either', async () => {
    expect((await ada.send('POST', `${foreign}/services`, { name: 'x' })).status).toBe(403);
    expect((await ada.send('POST', `${foreign}/api-keys`, { name: 'x', role: 'admin' })).status).toBe(403);
    const listed = (await byKey('cloud of another organization', 'GET', `${foreign}/api-keys`)).data as {
      id: string;
    }[];
    expect(listed).toHaveLength(1);
    const id = listed[0]?.id ?? '';
    expect((await ada.send('DELETE', `${own}/api-keys/${id}`)).status).toBe(404);
    expect((await ada.send('POST', `${own}/api-keys/${id}/rotate`, {})).status).toBe(404);
    expect((await byKey('cloud of another organization', 'GET', foreign)).status).toBe(200);
  });

  it('decisions P4: a malformed UUID is 400, but 401 without a credential', async () => {
    expect((await byKey('cloud admin', 'GET', '/organizations/acme')).status).toBe(400);
    expect((await ada.send('GET', '/organizations/acme/api-keys')).status).toBe(400);
    expect((await byKey('none', 'GET', '/organizations/acme')).status).toBe(401);
  });
});

describe('services', () => {
  it('are listed and shown without what only the program knows', async () => {
    const answer = await ada.send('GET', `${own}/services`);
    expect(answer.data).toEqual([
      { id: ids.service, name: 'production', organizationId: ids.organization },
      { id: ids.sibling, name: 'staging', organizationId: ids.organization },
    ]);
    expect((await byKey('cloud admin', 'GET', `${own}/services/${ids.sibling.toUpperCase()}`)).data).toEqual(
      (answer.data as object[])[1],
    );
  });

  it('a key of some services sees these, and makes neither services nor keys', async () => {
    const limited = 'cloud of another service';
    expect((await byKey(limited, 'GET', `${own}/services`)).data).toMatchObject([{ id: ids.sibling }]);
    expect((await byKey(limited, 'GET', `${own}/services/${ids.service}`)).status).toBe(403);
    for (const [method, path, body] of [
      ['POST', '/services', { name: 'x' }],
      ['GET', '/api-keys'],
      ['POST', '/api-keys', { name: 'x', role: 'admin' }],
    ] as const) {
      const answer = await byKey(limited, method, own + path, body);
      expect(answer.status, path).toBe(403);
      expect(answer.text).toContain('This key is limited to some services of the organization.');
    }
  });

  it('are created with their default sources, and are usable immediately', async () => {
    const made = await ada.send('POST', `${own}/services`, { name: ' new ' });
    expect(made.data).toMatchObject({ service: { name: 'new', organizationId: ids.organization } });
    const { id } = (made.data as { service: { id: string } }).service;
    const sources = await byKey('cloud admin', 'GET', `${own}/services/${id}/stack/sources`);
    expect((sources.data as { kind: string }[]).map(({ kind }) => kind)).toEqual(['log', 'trace', 'metric']);
    expect((await ada.send('GET', `${own}/services/${id}/stack/sources`)).status).toBe(200);
    expect((await byKey('cloud read', 'POST', `${own}/services`, { name: 'x' })).status).toBe(403);
    expect((await ada.send('POST', `${own}/services`, { name: '  ' })).status).toBe(400);
  });

  it('list their pipes, and only theirs', async () => {
    const pipes = await ada.send('GET', `${own}/services/${ids.service}/pipes`);
    expect(pipes.data).toMatchObject([{ id: ids.pipe, serviceId: ids.service }]);
    expect((await byKey('cloud read', 'GET', `${own}/services/${ids.sibling}/pipes`)).data).toMatchObject([
      { id: ids.siblingPipe },
    ]);
  });

  it('have their own ingestion keys', async () => {
    const path = `${own}/services/${ids.service}/ingestion-keys`;
    const made = (await ada.send('POST', path, { name: 'collectors' })).data as { id: string; key: string };
    expect(made.key).toMatch(/^[0-9a-f]{40}$/);
    const stored = await world.metadata.identities.findKey(made.id);
    expect(stored).toMatchObject({ kind: 'ingestion', tenantId: ids.service });
    expect((await byKey('cloud read', 'GET', path)).data).toMatchObject([
      { id: made.id, prefix: made.key.slice(0, 6) },
    ]);
    expect((await byKey('cloud read', 'DELETE', `${path}/${made.id}`)).status).toBe(403);
    const sibling = `${own}/services/${ids.sibling}/ingestion-keys`;
    expect((await ada.send('GET', sibling)).data).toEqual([]);
    expect((await ada.send('DELETE', `${sibling}/${made.id}`)).status).toBe(404);
    expect((await ada.send('DELETE', `${path}/${made.id}`)).status).toBe(200);
  });
});

describe('cloud API keys', () => {
  it('are made with role, services and expiry, shown once, used, rotated and deleted', async () => {
    const body = { name: 'deploy', role: 'read', serviceIds: [ids.service], expiresAt: '2030-01-01T00:00:00Z' };
    const made = (await ada.send('POST', `${own}/api-keys`, body)).data as {
      id: string;
      keyId: string;
      keySecret: string;
    };
    expect(made).toMatchObject({ name: 'deploy', role: 'read', serviceIds: [ids.service], keyId: expect.any(String) });
    const use = async (keyId: string, secret: string, service: string = ids.service) =>
      (
        await world.send('api', 'GET', `${own}/services/${service}/stack/sources`, {
          headers: { authorization: basic(keyId, secret) },
        })
      ).status;
    expect(await use(made.keyId, made.keySecret)).toBe(200);
    expect(await use(made.keyId, made.keySecret, ids.sibling)).toBe(403);
    const list = await byKey('cloud admin', 'GET', `${own}/api-keys`);
    expect(list.text).toContain(made.keyId);
    expect(list.text).not.toContain(made.keySecret);
    const next = (await ada.send('POST', `${own}/api-keys/${made.id}/rotate`, { overlapHours: 1 })).data as typeof made;
    expect([await use(made.keyId, made.keySecret), await use(next.keyId, next.keySecret)]).toEqual([200, 200]);
    expect((await ada.send('DELETE', `${own}/api-keys/${next.id}`)).status).toBe(200);
    expect(await use(next.keyId, next.keySecret)).toBe(401);
  });

  it('cannot be limited to services of another organization, nor be made by a key that may only read', async () => {
    const body = { name: 'x', role: 'read', serviceIds: [ids.foreignService] };
    const answer = await ada.send('POST', `${own}/api-keys`, body);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('There is no service');
    expect((await byKey('cloud read', 'POST', `${own}/api-keys`, { name: 'x', role: 'admin' })).status).toBe(403);
  });
});
