import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ApiWorld,
  type PeoplesPort,
  vouchedFor,
  type WorldAnswer,
  type WorldRequest,
} from '../../support/api-world.ts';
import { expectSuccess, operationTable, type Row } from '../../support/operation-table.ts';
import { missingObjects, TenantActor, type TenantObjects } from '../../support/tenant-objects.ts';
import { everything, makeObjectsOf } from '../../support/tenant-things.ts';
import { type Credential, credentials, ids, managedPath, twoTenancies } from '../../support/two-tenancies.ts';

/** What the API of a managed service does not offer (seed §What the service does 6), and its pages use. */
const forPages = operationTable.filter(({ flavours }) => !flavours.includes('managed'));
const offered = operationTable.filter(({ flavours }) => flavours.includes('managed'));
const keys = (Object.keys(credentials) as Credential[]).filter((credential) => credential !== 'none');
const ports = ['web', 'api'] as const;

let world: ApiWorld;
/** `Cookie` headers of a person of the organization, and of one of another. */
let own: string;
let foreign: string;
let actor: TenantActor;
let sibling: TenantActor;
let ownObjects: TenantObjects;
let siblingObjects: TenantObjects;

beforeAll(async () => {
  world = await ApiWorld.open(twoTenancies);
  own = await world.logInTo(ids.organization);
  foreign = await world.logInTo(ids.foreignOrganization);
  actor = new TenantActor(world.operations, ids.service);
  sibling = new TenantActor(world.operations, ids.sibling);
  ownObjects = await makeObjectsOf(world, actor, ids.pipe);
  siblingObjects = await makeObjectsOf(world, sibling, ids.siblingPipe);
});
afterAll(() => world?.close());

interface Sent extends Pick<WorldRequest, 'authorization'> {
  objects: TenantObjects;
  cookie?: string;
  headers?: Record<string, string>;
  /** Path of the resource; the own service's when absent. */
  place?: (resource: string) => string;
}

function send(port: PeoplesPort, row: Row, { objects, cookie, headers, place, authorization }: Sent) {
  const body = row.body?.(objects);
  return world.sendToPeoplesPort(port, row.method, (place ?? managedPath)(row.path(objects)), {
    authorization,
    headers: { 'sec-fetch-site': 'same-origin', ...(cookie === undefined ? {} : { cookie }), ...headers },
    ...(body ? { body } : {}),
  });
}

/** Everything that a client sees of an answer, but for what differs with each request. */
function seen({ status, text, headers: { 'x-request-id': _id, date: _date, ...headers } }: WorldAnswer): unknown {
  return { status, text, headers };
}

async function unknownPath(port: PeoplesPort, { method }: Row, request: Omit<WorldRequest, 'body'>): Promise<unknown> {
  return seen(await world.sendToPeoplesPort(port, method, managedPath('/no-such-thing'), request));
}

describe.each(forPages)('$operation, which the managed API does not offer', (row) => {
  it.each(ports)('is an unknown path for every key, port %s', async (port) => {
    for (const credential of keys) {
      const authorization = credentials[credential];
      const answer = await send(port, row, { objects: ownObjects, authorization });
      expect(seen(answer), credential).toEqual(await unknownPath(port, row, { authorization }));
    }
  });

  it('is one for a key that comes with the cookie of a person', async () => {
    const authorization = credentials['cloud admin'];
    const answer = await send('web', row, { objects: ownObjects, cookie: own, authorization });
    expect(seen(answer)).toEqual(await unknownPath('web', row, { authorization }));
  });

  it('is one on the API port, with a cookie or without, unless the web role vouches for it', async () => {
    for (const cookie of [{}, { cookie: own }]) {
      const answer = await send('api', row, { objects: ownObjects, ...cookie });
      expect(seen(answer)).toEqual(await unknownPath('api', row, {}));
    }
  });

  it('is served to a person of the organization, on either port', async () => {
    for (const [port, headers] of [['web', {}] as const, ['api', vouchedFor] as const]) {
      const objects = row.access === 'read' ? ownObjects : await makeObjectsOf(world, actor);
      const answer = await send(port, row, { objects, cookie: own, headers });
      expectSuccess(answer, 'managed', row, port);
    }
  });

  it('asks a browser without a session to log in', async () => {
    for (const [port, headers] of [['web', {}] as const, ['api', vouchedFor] as const]) {
      const answer = await send(port, row, { objects: ownObjects, headers });
      expect(answer.json).toEqual({ status: 401, error: expect.stringContaining('You are not logged in') });
    }
  });
});

describe.each(operationTable)('$operation, by a session', (row) => {
  const nobody = 'eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee';
  const place = (organization: string, service: string) => (resource: string) =>
    managedPath(resource, organization, service);

  it('is one and the same 403 wherever the person does not belong', async () => {
    const before = await Promise.all([actor, sibling].map(everything));
    const texts = new Set<string>();
    const elsewhere: [cookie: string, organization: string, service: string][] = [
      [foreign, ids.organization, ids.service],
      [foreign, ids.foreignOrganization, ids.service],
      [own, ids.foreignOrganization, ids.foreignService],
      [own, ids.organization, ids.foreignService],
      [own, ids.organization, nobody],
      [own, nobody, nobody],
    ];
    for (const [cookie, organization, service] of elsewhere) {
      const answer = await send('web', row, { objects: ownObjects, cookie, place: place(organization, service) });
      expect(answer.status, answer.text).toBe(403);
      texts.add(answer.text);
    }
    expect(texts.size).toBe(1);
    expect(await Promise.all([actor, sibling].map(everything))).toEqual(before);
  });

  const { unknown } = row;
  if (unknown !== undefined) {
    it('knows the objects of another service as little as those that do not exist', async () => {
      const before = await everything(sibling);
      const missing = await send('web', row, { objects: missingObjects, cookie: own });
      expect(missing.status, missing.text).toBe(unknown === 404 ? 404 : unknown.managed);
      const others = await send('web', row, { objects: siblingObjects, cookie: own });
      expect(withoutIds(others)).toEqual(withoutIds(missing));
      expect(await everything(sibling)).toBe(before);
    });
  }

  if (row.access === 'write') {
    it('changes nothing for a page of another site', async () => {
      const before = await everything(actor);
      const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example.com' };
      const answer = await send('web', row, { objects: ownObjects, cookie: own, headers });
      expect(answer.status, answer.text).toBe(403);
      expect(await everything(actor)).toBe(before);
    });
  }
});

describe('interface document', () => {
  const operationsOf = async (port: PeoplesPort): Promise<string[]> => {
    const answer = await world.sendToPeoplesPort(port, 'GET', '/v1/openapi.json', {});
    const { paths } = answer.json as { paths: Record<string, Record<string, { operationId: string }>> };
    return Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
  };

  it('of the API port shows what keys may use, of the web port everything', async () => {
    const name = ({ operation }: Row) => operation;
    expect((await operationsOf('api')).sort()).toEqual(offered.map(name).sort());
    expect((await operationsOf('web')).sort()).toEqual(operationTable.map(name).sort());
  });
});

it('favourites are a person’s in one service, seen neither by others nor in another service', async () => {
  const colleague = await world.logInTo(ids.organization);
  const favourites = async (cookie: string, service: string): Promise<unknown> => {
    const path = managedPath('/favourite-dashboards', ids.organization, service);
    const answer = await world.sendToPeoplesPort('web', 'GET', path, { headers: { cookie } });
    return (answer.json as { result: unknown }).result;
  };
  const { dashboard } = ownObjects;
  const headers = { cookie: own, 'sec-fetch-site': 'same-origin' };
  await world.sendToPeoplesPort('web', 'PUT', managedPath(`/favourite-dashboards/${dashboard}`), { headers });
  expect(await favourites(own, ids.service)).toContainEqual({ id: dashboard });
  expect(await favourites(colleague, ids.service)).toEqual([]);
  expect(await favourites(own, ids.sibling)).toEqual([]);
});

/** Ids that the request itself named may appear in the answer. */
function withoutIds({ status, text }: WorldAnswer): [number, string] {
  const written = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{24}/g;
  return [status, text.replaceAll(written, '<id>')];
}
