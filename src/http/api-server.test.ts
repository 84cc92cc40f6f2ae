import { Type } from 'typebox';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../contract/errors.ts';
import { type FlavourName, type Operation, operation } from './operation.ts';
import type { RequestDone } from './request-done.ts';
import { organizationId, otherServiceId, serviceId, TestApi, type TestApiOptions } from './testing.ts';

const both = ['selfHosted', 'managed'] as const;
const common = { flavours: both, tag: 'Things', summary: 'A thing.', errors: ['dashboard_not_found'] } as const;

const getThing = operation({
  ...common,
  id: 'getThing',
  method: 'GET',
  path: '/dashboards/:id',
  role: 'read',
  query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1 })) }),
  answer: { kind: 'one' },
  handle: async ({ params, query, principal }) => {
    if (params.id === 'boom') throw new Error('secret: SELECT 1 at /var/lib');
    if (params.id === 'text') return { kind: 'text', json: '{"a":1}', etag: '"7"' };
    return { kind: 'data', data: { id: params.id, query, tenant: principal.tenantId } };
  },
});
const putThing = operation({
  ...common,
  id: 'putThing',
  method: 'PUT',
  path: '/dashboards/:id',
  role: 'admin',
  body: Type.Object({ size: Type.Optional(Type.Integer()) }),
  answer: { kind: 'one' },
  precheck: async ({ params }) => {
    if (params.id === 'missing') throw new AppError('dashboard_not_found');
  },
  handle: async ({ body }) => ({ kind: 'data', data: body }),
});
const deleteThing = operation({
  ...common,
  id: 'deleteThing',
  method: 'DELETE',
  path: '/dashboards/:id',
  role: 'admin',
  answer: { kind: 'none' },
  handle: async () => ({ kind: 'none' }),
});
const listThings = operation({
  ...common,
  id: 'listThings',
  method: 'GET',
  path: '/dashboards',
  role: 'read',
  answer: { kind: 'list', paged: true },
  handle: async () => ({ kind: 'data', data: [1, 2], page: { total: 5, limit: 2, offset: 0 } }),
});
const chart = operation({
  ...common,
  id: 'chart',
  method: 'POST',
  path: '/charts/series',
  flavours: ['selfHosted'],
  role: 'read',
  body: Type.Object({ startTime: Type.Integer() }),
  errorInBothKeys: true,
  answer: { kind: 'one' },
  handle: async () => ({ kind: 'data', data: [], meta: { truncated: false } }),
});
const getPipe = operation({
  ...common,
  id: 'getPipe',
  method: 'GET',
  path: '/pipes/:pipeId',
  flavours: ['managed'],
  uuidParams: ['pipeId'],
  role: 'read',
  answer: { kind: 'one' },
  handle: async () => ({ kind: 'data', data: {} }),
});
const operations: readonly Operation[] = [getThing, putThing, deleteThing, listThings, chart, getPipe];

const opened: TestApi[] = [];
function start(name: FlavourName, options: TestApiOptions = {}): TestApi {
  const api = new TestApi(name, operations, options);
  opened.push(api);
  return api;
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((api) => api.server.close()));
});

describe('self-hosted envelopes (decisions F4, F5)', () => {
  it('puts one answer into {data}, a deletion into {}, always 200', async () => {
    const api = start('selfHosted');
    expect((await api.send('GET', '/dashboards/text')).body).toBe('{"data":{"a":1}}');
    const deleted = await api.send('DELETE', '/dashboards/x');
    expect([deleted.status, deleted.body]).toEqual([200, '{}']);
  });

  it('adds meta and X-Total-Count to a paged list', async () => {
    const answer = await start('selfHosted').send('GET', '/dashboards');
    expect(answer.json).toEqual({ data: [1, 2], meta: { total: 5, limit: 2, offset: 0 } });
    expect(answer.headers['x-total-count']).toBe('5');
  });

  it('says chart errors in both keys', async () => {
    const answer = await start('selfHosted').send('POST', '/charts/series', { body: {} });
    const text = 'Body validation failed: startTime: is required';
    expect([answer.status, answer.json]).toEqual([400, { message: text, error: text }]);
  });

  it('adds meta to a single answer that has one', async () => {
    const answer = await start('selfHosted').send('POST', '/charts/series', { body: { startTime: 1 } });
    expect(answer.json).toEqual({ data: [], meta: { truncated: false } });
  });
});

describe('managed envelopes (seed §Pipe: requestId, result, status)', () => {
  it('wraps each success with the request id of the header', async () => {
    const answer = await start('managed').send('GET', '/dashboards/text');
    expect(answer.json).toEqual({ requestId: answer.headers['x-request-id'], result: { a: 1 }, status: 200 });
  });

  it('answers a deletion without result', async () => {
    const answer = await start('managed').send('DELETE', '/dashboards/x');
    expect(answer.json).toEqual({ requestId: answer.headers['x-request-id'], status: 200 });
  });

  it('answers errors with exactly error and status', async () => {
    const answer = await start('managed').send('PUT', '/dashboards/missing', { body: {} });
    expect(answer.json).toEqual({ error: 'NOT_FOUND: Dashboard not found', status: 404 });
  });

  it('rejects malformed UUIDs with 400 (decisions F6)', async () => {
    const api = start('managed');
    const pipe = await api.send('GET', '/pipes/not-a-uuid');
    expect(pipe.json).toEqual({ error: 'BAD_REQUEST: pipeId: must be a UUID', status: 400 });
    const service = await api.sendTo('GET', `/v1/organizations/${organizationId}/services/nope/stack/dashboards`);
    expect(service.json).toEqual({ error: 'BAD_REQUEST: serviceId: must be a UUID', status: 400 });
  });

  it('rejects a key without access to the path with 403, whether it exists or not (decisions P4)', async () => {
    const api = start('managed');
    const url = `/v1/organizations/${organizationId}/services/${otherServiceId}/stack/dashboards`;
    const answer = await api.sendTo('GET', url);
    expect(answer.status).toBe(403);
    expect(answer.json).toMatchObject({ status: 403, error: expect.stringMatching(/^FORBIDDEN: /) });
  });

  it('does not offer charts (seed availability table)', async () => {
    expect((await start('managed').send('POST', '/charts/series', { body: {} })).status).toBe(404);
  });

  it('serves the words of existing clients only when asked to (decisions F7)', async () => {
    const url = `/v1/organizations/${organizationId}/services/${serviceId}/clickstack/dashboards`;
    expect((await start('managed').sendTo('GET', url)).status).toBe(404);
  });
});

describe.each(both)('every request, %s', (name) => {
  it('answers a missing or wrong key with 401 in JSON', async () => {
    const api = start(name);
    for (const key of ['none', 'wrong'] as const) {
      const answer = await api.send('GET', '/dashboards/x', { key });
      expect(answer.status).toBe(401);
      expect(api.errorText(answer)).toContain('The API key is missing or invalid.');
    }
  });

  it('lets a reading key read and nothing else', async () => {
    const api = start(name);
    expect((await api.send('GET', '/dashboards/x', { key: 'reader' })).status).toBe(200);
    expect((await api.send('PUT', '/dashboards/x', { key: 'reader', body: {} })).status).toBe(403);
  });

  it('answers unknown paths and wrong methods with 404 in JSON, inside and outside the prefix (decisions F3)', async () => {
    const api = start(name);
    const answers = [
      await api.send('GET', '/nothing', { key: 'none' }),
      await api.sendTo('GET', '/elsewhere', { key: 'none' }),
      await api.sendTo('PATCH', api.path('/dashboards/x'), { text: '<x/>', headers: { 'content-type': 'text/xml' } }),
      await api.sendTo('OPTIONS', api.path('/dashboards/x')),
      await api.sendTo('GET', '/api/%zz'),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
      expect(api.errorText(answer)).toContain('There is no such path.');
      expect(answer.headers['x-request-id']).toBeDefined();
    }
  });

  it('validates in this order: 401, JSON 400, 404, schema (decisions D2)', async () => {
    const api = start(name);
    const bad = { text: '{"size":"x",}' };
    expect((await api.send('PUT', '/dashboards/missing', { ...bad, key: 'wrong' })).status).toBe(401);
    expect((await api.send('PUT', '/dashboards/missing', bad)).status).toBe(400);
    expect((await api.send('PUT', '/dashboards/missing', { body: { size: 'x' } })).status).toBe(404);
    const answer = await api.send('PUT', '/dashboards/x', { body: { size: 'x' } });
    expect(answer.status).toBe(400);
    expect(api.errorText(answer)).toContain('Body validation failed: size: must be an integer');
  });

  it('rejects a body above the limit after authentication and before reading it (decisions F9)', async () => {
    const api = start(name, { bodyBytesMax: 100 });
    const text = `{"x":"${'y'.repeat(200)}"}`;
    expect((await api.send('PUT', '/dashboards/x', { text, key: 'wrong' })).status).toBe(401);
    const answer = await api.send('PUT', '/dashboards/missing', { text });
    expect([answer.status, api.errorText(answer)]).toEqual([413, expect.stringContaining('too large')]);
  });

  it.each([
    ['text/plain', '{}'],
    ['application/x-www-form-urlencoded', 'a=b'],
    ['', '{}'],
  ])('rejects a body of type "%s" with 400 (decisions F8)', async (type, text) => {
    const api = start(name);
    const answer = await api.send('PUT', '/dashboards/x', { text, headers: { 'content-type': type } });
    expect([answer.status, api.errorText(answer)]).toEqual([400, expect.stringContaining('application/json')]);
  });

  it.each(['', '{"name":"x",}', 'nonsense', '[1'])('answers the body %j with 400', async (text) => {
    expect((await start(name).send('PUT', '/dashboards/x', { text })).status).toBe(400);
  });

  it.each(['[]', 'null', '"x"', '5'])('answers the JSON body %s, which is no object, with a reason', async (text) => {
    const api = start(name);
    const answer = await api.send('PUT', '/dashboards/x', { text });
    expect(api.errorText(answer)).toContain('must be an object');
  });

  it('tolerates what clients send (decisions F8)', async () => {
    const api = start(name);
    const type = { 'content-type': 'application/json; charset=utf-8' };
    expect((await api.send('PUT', '/dashboards/x', { body: { size: 1, foo: 2 }, headers: type })).status).toBe(200);
    expect((await api.send('DELETE', '/dashboards/x', { text: '', headers: type })).status).toBe(200);
    expect((await api.send('GET', '/dashboards/x?foo=1', { headers: type })).status).toBe(200);
    expect((await api.send('GET', '/dashboards/')).status).toBe(200);
    expect((await api.send('GET', '/dashboards/x', { headers: { accept: '' } })).status).toBe(200);
  });

  it.each(['dryRun=true', 'dryRun', 'dry_run=1', 'dryrun=yes', 'validateOnly=true'])(
    'does not execute a requested dry run: ?%s',
    async (query) => {
      const api = start(name);
      for (const method of ['PUT', 'DELETE'] as const) {
        const answer = await api.send(method, `/dashboards/a?${query}`, method === 'PUT' ? { body: {} } : {});
        expect([answer.status, api.errorText(answer)]).toEqual([400, expect.stringContaining('has no dry run')]);
        expect((await api.send(method, '/dashboards/a?dryRun=false', { body: {} })).status).toBe(200);
      }
      expect((await api.send('GET', `/dashboards/a?${query}`)).status).toBe(200);
    },
  );

  it('reads numbers from the query and rejects what is not a number', async () => {
    const api = start(name);
    expect(api.unwrap(await api.send('GET', '/dashboards/x?limit=5'))).toMatchObject({ query: { limit: 5 } });
    const answer = await api.send('GET', '/dashboards/x?limit=0');
    expect([answer.status, api.errorText(answer)]).toEqual([
      400,
      expect.stringContaining('Query validation failed: limit: must be at least 1'),
    ]);
  });

  it('answers HEAD as GET without a body', async () => {
    const answer = await start(name).send('HEAD', '/dashboards/text');
    expect([answer.status, answer.body, answer.headers.etag]).toEqual([200, '', '"7"']);
  });

  it('keeps the reason of an unexpected failure to the log', async () => {
    const api = start(name);
    const answer = await api.send('GET', '/dashboards/boom');
    expect(answer.status).toBe(500);
    expect(answer.body).not.toMatch(/SELECT|secret|var/);
    expect(api.logger.lines.filter((line) => line.level === 'error')).toMatchObject([
      { fields: { requestId: answer.headers['x-request-id'] } },
    ]);
  });

  it('names the request in header and access line alike, and never takes a client’s id', async () => {
    const api = start(name);
    const answer = await api.send('GET', '/dashboards/x?token=hidden', { headers: { 'x-request-id': 'mine' } });
    const access = api.logger.lines.find((line) => line.message === 'request');
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(access?.fields).toMatchObject({
      requestId: answer.headers['x-request-id'],
      method: 'GET',
      route: expect.stringMatching(/\/dashboards\/:id$/),
      status: 200,
      tenantId: serviceId,
    });
    expect(JSON.stringify(access)).not.toContain('hidden');
  });

  it('notifies observers of each request by its pattern', async () => {
    const seen: RequestDone[] = [];
    const api = start(name, { observers: [(done) => seen.push(done)] });
    await api.send('GET', '/dashboards/x');
    await api.sendTo('GET', '/nowhere');
    expect(seen.map(({ route, status }) => [route.replace(/^.*stack|^.*v2/, ''), status])).toEqual([
      ['/dashboards/:id', 200],
      ['(none)', 404],
    ]);
  });
});

describe.each(both)('rate limits, %s (decisions F9)', (name) => {
  const rateLimit = { requests: 2, windowMs: 10_000 };

  it('limits each key and says when to come back', async () => {
    const api = start(name, { rateLimit });
    const statuses = [];
    for (let count = 0; count < 3; count++) statuses.push((await api.send('GET', '/dashboards/x')).status);
    expect(statuses).toEqual([200, 200, 429]);
    const refused = await api.send('GET', '/dashboards/x');
    expect(refused.headers).toMatchObject({
      'retry-after': '10',
      'x-ratelimit-reset': '10',
      ratelimit: '"default";r=0;t=10',
      'ratelimit-policy': '"default";q=2;w=10',
    });
    expect((await api.send('GET', '/dashboards/x', { key: 'reader' })).status).toBe(200);
    await api.clock.advance(10_000);
    expect((await api.send('GET', '/dashboards/x')).status).toBe(200);
  });

  it('limits failed authentication per address, 30 a minute, and lets a good key of that address pass', async () => {
    const api = start(name, { rateLimit });
    for (let count = 0; count < 30; count++) await api.send('GET', '/dashboards/x', { key: 'wrong' });
    expect((await api.send('GET', '/dashboards/x', { key: 'wrong' })).status).toBe(429);
    expect((await api.send('GET', '/dashboards/x')).status).toBe(200);
  });

  it('is off when not configured', async () => {
    const api = start(name);
    for (let count = 0; count < 40; count++) {
      expect((await api.send('GET', '/dashboards/x', { key: 'wrong' })).status).toBe(401);
    }
  });
});

describe('routes without a key', () => {
  it('answers health, readiness, metrics and the root', async () => {
    const api = start('selfHosted');
    expect((await api.sendTo('GET', '/health', { key: 'none' })).json).toMatchObject({ status: 'ok' });
    expect((await api.sendTo('GET', '/ready', { key: 'none' })).json).toEqual({
      status: 'ready',
      parts: { metadata: 'ready' },
    });
    expect((await api.sendTo('GET', '/metrics', { key: 'none' })).status).toBe(200);
    expect((await api.sendTo('GET', '/api/v2', { key: 'none' })).json).toMatchObject({ version: 'v2' });
  });

  it('is not ready while a part is unavailable', async () => {
    const api = start('selfHosted', { readiness: { report: async () => ({ parts: { telemetry: 'unavailable' } }) } });
    const answer = await api.sendTo('GET', '/ready', { key: 'none' });
    expect([answer.status, answer.json]).toEqual([503, { status: 'unavailable', parts: { telemetry: 'unavailable' } }]);
  });
});

describe('requests from other origins (CORS)', () => {
  const ask = { origin: 'https://ui.example', 'access-control-request-method': 'PUT' };

  it('answers a preflight for any origin without credentials when none is configured', async () => {
    const answer = await start('selfHosted').sendTo('OPTIONS', '/api/v2/dashboards', { key: 'none', headers: ask });
    expect(answer.status).toBe(204);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('allows credentials for the configured origin only', async () => {
    const api = start('selfHosted', { corsOrigin: 'https://ui.example' });
    const own = await api.send('GET', '/dashboards', { headers: { origin: 'https://ui.example' } });
    expect(own.headers['access-control-allow-origin']).toBe('https://ui.example');
    expect(own.headers['access-control-expose-headers']).toContain('X-Total-Count');
    const foreign = await api.send('GET', '/dashboards', { headers: { origin: 'https://evil.example' } });
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
  });
});
