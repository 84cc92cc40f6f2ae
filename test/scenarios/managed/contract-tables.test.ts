import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiWorld, type WorldAnswer } from '../../support/api-world.ts';
import { TenantActor, type TenantObjects } from '../../support/tenant-objects.ts';
import {
  basic,
  bearer,
  credentials,
  ids,
  managedPath,
  selfHostedPath,
  twoTenancies,
} from '../../support/two-tenancies.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const authorization = credentials['cloud admin'];

let world: ApiWorld;
let own: TenantObjects;

beforeAll(async () => {
  world = await ApiWorld.open(twoTenancies);
  own = await new TenantActor(world.operations, ids.service).makeObjects(ids.pipe);
});
afterAll(() => world?.close());

const managed = (method: string, resource: string, body?: object) =>
  world.send('managed', method, managedPath(resource), { authorization, ...(body ? { body } : {}) });

describe('seed §What the service does, table of availability', () => {
  /** Word of the table → the request that it means, answered 200 where the resource is offered. */
  const offers: Record<string, (objects: TenantObjects) => [method: string, resource: string, body?: object]> = {
    'dashboards: create': () => ['POST', '/dashboards', { name: 'Shop' }],
    'dashboards: list': () => ['GET', '/dashboards'],
    'dashboards: get': ({ dashboard }) => ['GET', `/dashboards/${dashboard}`],
    'dashboards: update': ({ dashboard }) => ['PUT', `/dashboards/${dashboard}`, { name: 'Shop 2' }],
    'alerts: create': (objects) => ['POST', '/alerts', alert(objects)],
    'alerts: list': () => ['GET', '/alerts'],
    'alerts: get': (objects) => ['GET', `/alerts/${objects.alert}`],
    'alerts: update': (objects) => ['PUT', `/alerts/${objects.alert}`, alert(objects)],
    'alerts: delete': (objects) => ['DELETE', `/alerts/${objects.alert}`],
    'dashboards: delete': ({ dashboard }) => ['DELETE', `/dashboards/${dashboard}`],
    'sources: list': () => ['GET', '/sources'],
    'pipes: get one': ({ pipe }) => ['GET', `/pipes/${pipe}`],
  };
  const alert = ({ dashboard, tile, webhook }: TenantObjects) => ({
    dashboardId: dashboard,
    tileId: tile,
    threshold: 1,
    interval: '1h',
    source: 'tile',
    thresholdType: 'above',
    channel: { type: 'webhook', webhookId: webhook },
    name: 'Errors',
    message: 'see the runbook',
  });

  it.each(Object.keys(offers))('managed flavour: %s, in the envelope {requestId, result, status}', async (word) => {
    const [method, resource, body] = offers[word]?.(own) ?? ['', ''];
    const answer = await managed(method, resource, body);
    expect(answer.status, answer.text).toBe(200);
    const envelope = { requestId: expect.stringMatching(uuid), status: 200 };
    const { meta, ...rest } = answer.json as { meta?: unknown };
    expect(rest).toEqual(method === 'DELETE' ? envelope : { ...envelope, result: expect.anything() });
    // decisions D9: the alert that was made above goes with its dashboard.
    const goesAlong = word === 'dashboards: delete' ? { deletedAlerts: [expect.any(String)] } : undefined;
    expect(meta).toEqual(goesAlong);
    expect((answer.json as { requestId: string }).requestId).toBe(answer.headers['x-request-id']);
    if (word.endsWith('list')) expect(answer.json).toMatchObject({ result: expect.any(Array) });
  });

  it.each([
    ['charts', 'POST', '/charts/series'],
    ['webhooks', 'GET', '/webhooks'],
    ['webhooks', 'POST', '/webhooks'],
    ['connections', 'GET', '/connections'],
  ])('managed flavour: %s not offered (%s %s)', async (_, method, resource) => {
    const answer = await managed(method, resource, method === 'POST' ? {} : undefined);
    expect([answer.status, answer.json]).toEqual([404, { error: expect.stringMatching(/^NOT_FOUND: /), status: 404 }]);
  });

  it('self-hosted flavour: pipes not offered', async () => {
    const request = { authorization: credentials.personal };
    const answer = await world.send('selfHosted', 'GET', selfHostedPath(`/pipes/${ids.pipe}`), request);
    expect([answer.status, answer.json]).toEqual([404, { message: 'There is no such path.' }]);
  });
});

describe('seed §Path shapes by flavour', () => {
  it.each([
    ['pipes stand below the service, not below stack', `/stack/pipes/${ids.pipe}`, 404],
    ['dashboards stand below stack only', null, 404],
  ])('%s', async (_, resource, status) => {
    const base = `/v1/organizations/${ids.organization}/services/${ids.service}`;
    const answer = await world.send('managed', 'GET', base + (resource ?? '/dashboards'), { authorization });
    expect(answer.status).toBe(status);
  });

  it.each(['/api/v2/dashboards', '/v2/organizations', '/v1/dashboards', '/'])('%s is no path here', async (path) => {
    const answer = await world.send('managed', 'GET', path, { authorization });
    expect(answer.headers['content-type']).toContain('application/json');
    if (answer.status !== 200) expect(answer.json).toEqual({ error: expect.any(String), status: 404 });
  });

  it.each(['PATCH', 'POST', 'PUT'])(
    'a wrong method on a known path is 404 as well, not 405 (decisions F3): %s',
    async (method) => {
      const answer = await managed(method, '/sources', {});
      expect([answer.status, answer.json]).toEqual([404, { error: expect.any(String), status: 404 }]);
    },
  );
});

describe('seed §Authentication, managed flavour: Basic <base64 of KEY_ID:KEY_SECRET>', () => {
  it.each(['Basic', 'basic', 'BASIC'])('the scheme is taken as %s', async (scheme) => {
    const header = authorization.replace('Basic', scheme);
    expect((await world.send('managed', 'GET', managedPath('/sources'), { authorization: header })).status).toBe(200);
  });

  it.each([
    ['nothing', undefined],
    ['a bearer token', bearer('cloud-admin-0123456789')],
    ['an unknown key id', basic('KEY-nobody', 'cloud-admin-0123456789')],
    ['a wrong secret', basic('KEY-admin', 'cloud-wrong-0123456789')],
    ['a personal key of the other flavour', basic('ada@example.com', 'personal-admin-0123456789')],
    ['the two halves turned round', basic('cloud-admin-0123456789', 'KEY-admin')],
  ])('%s is answered 401 {error, status}, on every route alike', async (_, header) => {
    const request = header === undefined ? {} : { authorization: header };
    const texts = new Set<string>();
    for (const resource of ['/dashboards', '/alerts', '/sources', `/pipes/${ids.pipe}`, '/dashboards/none']) {
      const answer = await world.send('managed', 'GET', managedPath(resource), request);
      expect(answer.status).toBe(401);
      texts.add(answer.text);
    }
    expect([...texts]).toEqual(['{"error":"UNAUTHORIZED: The API key is missing or invalid.","status":401}']);
  });
});

describe('decisions F4, F5: managed errors are exactly {error, status}, the status the HTTP one', () => {
  const big = JSON.stringify({ name: 'x'.repeat(6 * 1024 * 1024) });
  it.each<[number, string, string, string | undefined, Record<string, string>?]>([
    [400, 'POST', '/dashboards', '{'],
    [400, 'POST', '/dashboards', '{"name":1}'],
    [400, 'POST', '/alerts', '{}'],
    [400, 'POST', '/dashboards', 'name=x', { 'content-type': 'text/plain' }],
    [404, 'GET', '/dashboards/not-an-id', undefined],
    [404, 'GET', '/alerts/ffffffffffffffffffffffff', undefined],
    [404, 'DELETE', '/dashboards/ffffffffffffffffffffffff', undefined],
    [404, 'GET', '/nothing', undefined],
    [413, 'POST', '/dashboards', big],
  ])('%i: %s %s', async (status, method, resource, text, headers) => {
    const answer = await sendText(method, resource, text, headers);
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual({ error: expect.stringMatching(/^[A-Z_]+: ./), status });
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['x-request-id']).toMatch(uuid);
    expect(world.logger.lines.map(({ fields }) => fields.requestId)).toContain(answer.headers['x-request-id']);
  });

  async function sendText(method: string, resource: string, text: string | undefined, headers = {}) {
    if (text === undefined) return world.send('managed', method, managedPath(resource), { authorization });
    const type = { 'content-type': 'application/json', ...headers };
    return world.sendText('managed', method, managedPath(resource), { authorization, text, headers: type });
  }

  it('an invalid dashboard is 400 here (decisions D1), with path and reason, and nothing is written', async () => {
    const created = await managed('POST', '/dashboards', { name: 'Shop' });
    const { id } = (created.json as { result: { id: string } }).result;
    const before = results(await managed('GET', '/dashboards'));
    const bad = { name: 'x', tiles: [{ series: [{ sourceId: own.source, aggFn: 'total', where: '', groupBy: [] }] }] };
    for (const answer of [await managed('POST', '/dashboards', bad), await managed('PUT', `/dashboards/${id}`, bad)]) {
      expect(answer.status).toBe(400);
      const { error } = answer.json as { error: string };
      expect(error).toMatch(/^BAD_REQUEST: .*tiles\.0\.series\.0\.aggFn: must be one of/);
    }
    expect(results(await managed('GET', '/dashboards'))).toEqual(before);
  });

  it('validate answers 200 inside the envelope, also for what is invalid (decisions D10)', async () => {
    const answer = await managed('POST', '/dashboards/validate', { tiles: 1 });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      status: 200,
      result: { valid: false, errors: expect.any(Array), normalized: null },
    });
  });
});

function results({ json }: WorldAnswer): unknown {
  return (json as { result: unknown }).result;
}
