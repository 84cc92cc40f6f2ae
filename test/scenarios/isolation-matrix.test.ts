import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FlavourName } from '../../src/http/operation.ts';
import { ApiWorld, type WorldAnswer } from '../support/api-world.ts';
import { expectSuccess, type Row, operationTable as table } from '../support/operation-table.ts';
import { missingObjects, TenantActor, type TenantObjects } from '../support/tenant-objects.ts';
import { everything, makeObjectsOf } from '../support/tenant-things.ts';
import {
  type Credential,
  credentials,
  ids,
  managedPath,
  revokedCredentials,
  selfHostedPath,
  twoTenancies,
} from '../support/two-tenancies.ts';

/** What a credential is in a flavour: a key of the own tenant, one of another tenant, rejected, or nothing. */
type Standing = 'admin' | 'read' | 'otherTenant' | 401 | 403;

/** Callers not listed here are not authenticated at all (decisions K1: three different kinds of keys). */
const standings: Record<FlavourName, Partial<Record<Credential, Standing>>> = {
  selfHosted: { personal: 'admin', 'personal, read only': 'read', 'personal of another team': 'otherTenant' },
  managed: {
    'cloud admin': 'admin',
    'cloud read': 'read',
    'cloud of another service': 403,
    'cloud of another organization': 403,
  },
};

const standingOf = (flavour: FlavourName, credential: Credential): Standing => standings[flavour][credential] ?? 401;
const everyCredential = Object.keys(credentials) as Credential[];

let world: ApiWorld;
let own: Record<FlavourName, TenantActor>;
let ownObjects: Record<FlavourName, TenantObjects>;
let foreignObjects: Record<FlavourName, TenantObjects>;
let strangers: TenantActor[];

beforeAll(async () => {
  world = await ApiWorld.open(twoTenancies);
  for (const credential of revokedCredentials) await world.revoke(credential);
  const tenants = await world.metadata.identities.listTenants();
  const actor = (name: string): TenantActor =>
    new TenantActor(
      world.operations,
      tenants.find(({ id, kind, ...tenant }) => (kind === 'team' ? tenant.name : id) === name)?.id ?? '',
    );
  own = { selfHosted: actor('Own'), managed: actor(ids.service) };
  const foreign = { selfHosted: actor('Foreign'), managed: actor(ids.sibling) };
  strangers = [foreign.selfHosted, foreign.managed, actor(ids.foreignService)];
  ownObjects = {
    selfHosted: await makeObjectsOf(world, own.selfHosted),
    managed: await makeObjectsOf(world, own.managed, ids.pipe),
  };
  foreignObjects = {
    selfHosted: await makeObjectsOf(world, foreign.selfHosted),
    managed: await makeObjectsOf(world, foreign.managed, ids.siblingPipe),
  };
});

afterAll(() => world?.close());

interface Sent {
  row: Row;
  credential: Credential;
  objects: TenantObjects;
  /** Path of the resource; the own tenant's when absent. */
  place?: (resource: string) => string;
}

function send(flavour: FlavourName, { row, credential, objects, place }: Sent): Promise<WorldAnswer> {
  const toPath = place ?? (flavour === 'managed' ? (path: string) => managedPath(path) : selfHostedPath);
  const body = row.body?.(objects);
  return world.send(flavour, row.method, toPath(row.path(objects)), {
    authorization: credentials[credential],
    ...(body ? { body } : {}),
  });
}

/** Seed §Error object, decisions F5: self-hosted `{message}` (charts also `error`), managed exactly `{error, status}`. */
function expectError(
  answer: WorldAnswer,
  flavour: FlavourName,
  { resource, flavours }: Row,
  status: number,
  why: string,
) {
  expect(answer.status, `${why}: ${answer.text}`).toBe(status);
  const chartError = resource === 'charts' && flavours.includes(flavour);
  const text = expect.stringMatching(/./);
  const shape =
    flavour === 'managed' ? { error: text, status } : { message: text, ...(chartError ? { error: text } : {}) };
  expect(answer.json, why).toEqual(shape);
}

it('the table names every operation', () => {
  const mounted = world.operations.map(({ id, flavours }) => [id, [...flavours].sort()]);
  expect(mounted.sort()).toEqual(table.map(({ operation, flavours }) => [operation, [...flavours].sort()]).sort());
});

it('what a managed service has for its pages alone is exactly what its API does not offer', () => {
  const forPages = world.operations.filter((operation) => operation.console).map(({ id }) => id);
  const notOffered = world.operations.filter(({ flavours }) => !flavours.includes('managed')).map(({ id }) => id);
  expect(forPages.sort()).toEqual(notOffered.sort());
});

describe.each(['selfHosted', 'managed'] as const)('%s', (flavour) => {
  const offered = table.filter(({ flavours }) => flavours.includes(flavour));
  const notOffered = table.filter(({ flavours }) => !flavours.includes(flavour));
  const of = (standing: Standing): Credential[] =>
    everyCredential.filter((credential) => standingOf(flavour, credential) === standing);

  describe.each(offered)('$operation', (row) => {
    it('takes a valid key of the tenant', async () => {
      for (const credential of [...of('admin'), ...(row.access === 'read' ? of('read') : [])]) {
        const objects = row.access === 'read' ? ownObjects[flavour] : await makeObjectsOf(world, own[flavour]);
        expectSuccess(await send(flavour, { row, credential, objects }), flavour, row, credential);
      }
    });

    it('rejects all others with 401 or 403, whatever object is named, and changes nothing', async () => {
      const before = await Promise.all([own[flavour], ...strangers].map(everything));
      for (const status of [401, 403] as const) {
        for (const credential of of(status)) {
          for (const objects of [ownObjects[flavour], foreignObjects[flavour], missingObjects]) {
            expectError(await send(flavour, { row, credential, objects }), flavour, row, status, credential);
          }
        }
      }
      if (row.access === 'write') {
        for (const credential of of('read')) {
          for (const objects of [ownObjects[flavour], foreignObjects[flavour], missingObjects]) {
            const answer = await send(flavour, { row, credential, objects });
            expectError(answer, flavour, row, 403, credential);
            expect(answer.text).toContain('This key is read-only.');
          }
        }
      }
      expect(await Promise.all([own[flavour], ...strangers].map(everything))).toEqual(before);
    });

    const { unknown } = row;
    if (unknown !== undefined) {
      it('knows the objects of other tenants as little as those that do not exist', async () => {
        const before = await Promise.all(strangers.map(everything));
        const expected = unknown === 404 ? 404 : unknown[flavour];
        for (const credential of [...of('admin'), ...(row.access === 'read' ? of('read') : [])]) {
          const missing = await send(flavour, { row, credential, objects: missingObjects });
          expectError(missing, flavour, row, expected, credential);
          const foreign = await send(flavour, { row, credential, objects: foreignObjects[flavour] });
          expect(withoutIds(foreign), credential).toEqual(withoutIds(missing));
        }
        expect(await Promise.all(strangers.map(everything))).toEqual(before);
      });
    }

    it('shows another tenant nothing of this one', async () => {
      for (const credential of of('otherTenant')) {
        const objects = ownObjects[flavour];
        const before = await everything(own[flavour]);
        const answer = await send(flavour, { row, credential, objects });
        if (unknown !== undefined) expect(answer.status).toBe(unknown === 404 ? 404 : unknown[flavour]);
        const secrets = Object.values(objects).filter((id) => !JSON.stringify(row.body?.(objects) ?? '').includes(id));
        for (const id of secrets) expect(answer.text, row.operation).not.toContain(id);
        expect(await everything(own[flavour])).toBe(before);
      }
    });
  });

  describe.each(notOffered)('$operation is not offered (seed §What the service does 6)', (row) => {
    it('and is not a path at all', async () => {
      for (const credential of everyCredential) {
        const answer = await send(flavour, { row, credential, objects: ownObjects[flavour] });
        expectError(answer, flavour, row, 404, credential);
      }
    });
  });
});

describe('managed: the service in the path (decisions P4)', () => {
  const offered = table.filter(({ flavours }) => flavours.includes('managed'));
  const nobody = 'eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee';
  const place = (organization: string, service: string) => (resource: string) =>
    managedPath(resource, organization, service);

  it.each(offered)(
    '$operation: 403 for another tenant’s organization or service, and for one that does not exist',
    async (row) => {
      const before = await Promise.all(strangers.map(everything));
      const places = [
        place(ids.foreignOrganization, ids.foreignService),
        place(ids.foreignOrganization, ids.service),
        place(ids.organization, ids.foreignService),
        place(ids.organization, nobody),
        place(nobody, nobody),
      ];
      const texts = new Set<string>();
      for (const credential of ['cloud admin', 'cloud read'] as const) {
        for (const there of places) {
          const answer = await send('managed', { row, credential, objects: foreignObjects.managed, place: there });
          expectError(answer, 'managed', row, 403, credential);
          texts.add(answer.text);
        }
      }
      expect(texts.size).toBe(1);
      expect(await Promise.all(strangers.map(everything))).toEqual(before);
    },
  );

  it.each(offered)('$operation: 400 for a malformed UUID, but 401 without a key', async (row) => {
    for (const there of [place('acme', ids.service), place(ids.organization, 'production'), place('%00', 'x')]) {
      const objects = ownObjects.managed;
      const known = await send('managed', { row, credential: 'cloud admin', objects, place: there });
      expectError(known, 'managed', row, 400, row.operation);
      const unknown = await send('managed', { row, credential: 'none', objects, place: there });
      expectError(unknown, 'managed', row, 401, row.operation);
    }
  });

  it('a key of several services reaches each of them, ids in any case', async () => {
    const upper = place(ids.organization.toUpperCase(), ids.sibling.toUpperCase());
    const answer = await world.send('managed', 'GET', upper('/dashboards'), {
      authorization: credentials['cloud of another service'],
    });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(foreignObjects.managed.dashboard);
  });
});

/** Ids that the request itself named may appear in the answer. */
function withoutIds({ status, text }: WorldAnswer): [number, string] {
  const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{24}/g;
  return [status, text.replaceAll(ids, '<id>')];
}
