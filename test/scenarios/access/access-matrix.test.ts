import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FlavourName, Operation } from '../../../src/http/operation.ts';
import { type Credential, credentials, ids, revokedCredentials, twoTenancies } from '../../support/two-tenancies.ts';
import { type WebAnswer, WebWorld } from '../../support/web-world.ts';

const servicePath = '/organizations/:organizationId/services/:serviceId';

/** Path with the own organization and service, and an unused id. */
function pathOf({ place, path }: Operation, flavour: FlavourName): string {
  return (flavour === 'managed' && place !== 'root' ? servicePath + path : path)
    .replace(':organizationId', ids.organization)
    .replace(':serviceId', ids.service)
    .replace(':id', 'ffffffffffffffffffffffff');
}

/** Callers not listed here are not authenticated at all (decisions K1: three different kinds of keys). */
const holders: Record<FlavourName, readonly Credential[]> = {
  selfHosted: ['personal', 'personal, read only', 'personal of another team'],
  managed: ['cloud admin', 'cloud read', 'cloud of another service', 'cloud of another organization'],
};
const reader = { selfHosted: 'personal, read only', managed: 'cloud read' } as const;
const admin = { selfHosted: 'personal', managed: 'cloud admin' } as const;

describe.each(['selfHosted', 'managed'] as const)('teams, keys and organizations, %s', (flavour) => {
  let world: WebWorld;
  let operations: Operation[];
  beforeAll(async () => {
    world = await WebWorld.open(flavour, { provisioning: twoTenancies });
    for (const credential of revokedCredentials) await world.revoke(credential);
    operations = world.access.filter(({ flavours }) => flavours.includes(flavour));
  });
  afterAll(() => world?.close());

  /** With a body that no operation takes, so that whatever is let through changes nothing. */
  const send = (operation: Operation, credential: Credential): Promise<WebAnswer> => {
    const authorization = credentials[credential];
    return world.send('api', operation.method, pathOf(operation, flavour), {
      headers: authorization === undefined ? {} : { authorization },
      ...(operation.body ? { body: { nothing: true } } : {}),
    });
  };

  it('are closed without a key of the right kind', async () => {
    expect(operations.length).toBeGreaterThan(10);
    const strangers = (Object.keys(credentials) as Credential[]).filter((one) => !holders[flavour].includes(one));
    for (const operation of operations) {
      for (const credential of strangers) {
        expect((await send(operation, credential)).status, `${operation.id}, ${credential}`).toBe(401);
      }
    }
  });

  it('are not changed by a key that may only read', async () => {
    for (const operation of operations.filter(({ role }) => role === 'admin')) {
      const answer = await send(operation, reader[flavour]);
      expect(answer.status, operation.id).toBe(403);
      expect(answer.text).toContain('This key is read-only.');
    }
  });

  it('take no body with unknown fields, and know no id that does not exist', async () => {
    for (const operation of operations.filter(({ body, method }) => body || method === 'DELETE')) {
      const expected = operation.path.includes(':id') ? 404 : 400;
      expect((await send(operation, admin[flavour])).status, operation.id).toBe(expected);
    }
  });

  it('decisions P4: are forbidden to keys of other organizations and services', async () => {
    if (flavour !== 'managed') return;
    const inOrganization = operations.filter((operation) => pathOf(operation, flavour).includes(ids.organization));
    for (const operation of inOrganization) {
      expect((await send(operation, 'cloud of another organization')).status, operation.id).toBe(403);
      if (!pathOf(operation, flavour).includes(ids.service)) continue;
      expect((await send(operation, 'cloud of another service')).status, operation.id).toBe(403);
    }
  });
});
