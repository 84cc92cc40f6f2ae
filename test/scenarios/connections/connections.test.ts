import { describe, expect, it } from 'vitest';
import { SecretBox } from '../../../src/access/secret-box.ts';
import type { ConnectionRecord } from '../../../src/contract/connection.ts';
import type { FlavourName } from '../../../src/http/operation.ts';
import { serviceId, TestApi } from '../../../src/http/testing.ts';
import { FakeClock } from '../../../src/kernel/fake-clock.ts';
import { randomIds } from '../../../src/kernel/ids.ts';
import { builtInConnection } from '../../../src/resources/connections/built-in-connection.ts';
import { ConnectionService } from '../../../src/resources/connections/connection-service.ts';
import { FakeConnectionRepository } from '../../../src/resources/connections/fake-connection-repository.ts';
import { FakeReferenceUsers } from '../../../src/resources/connections/fake-reference-users.ts';
import { connectionOperations } from '../../../src/resources/connections/operations/connection-operations.ts';

const missingId = 'ffffffffffffffffffffffff';
const builtInId = 'b00000000000000000000001';
const secrets = new SecretBox('a key for tests');
const body = { name: 'prod', host: 'http://clickhouse:8123', username: 'reader' };
const withPassword = { ...body, password: 's3cr3t' };

class ConnectionApi extends TestApi {
  readonly connections: FakeConnectionRepository;
  /** Sources that read from a connection, by its id. */
  readonly sources: Map<string, { id: string; name: string }[]>;
  readonly users: FakeReferenceUsers;

  constructor(name: FlavourName = 'selfHosted') {
    const sources = new Map<string, { id: string; name: string }[]>();
    const connections = new FakeConnectionRepository((_, id) => sources.get(id) ?? []);
    const users = new FakeReferenceUsers();
    const clock = new FakeClock();
    super(name, connectionOperations(new ConnectionService({ connections, users, secrets, ids: randomIds, clock })));
    this.users = users;
    this.connections = connections;
    this.sources = sources;
  }

  async create(sent: unknown): Promise<ConnectionRecord> {
    return this.unwrap(await this.send('POST', '/connections', { body: sent })) as ConnectionRecord;
  }

  async put(id: string, sent: unknown): Promise<ConnectionRecord> {
    return this.unwrap(await this.send('PUT', `/connections/${id}`, { body: sent })) as ConnectionRecord;
  }

  async passwordOf(id: string): Promise<string | undefined> {
    const stored = await this.connections.find(serviceId, id);
    return stored?.sealedPassword && secrets.open(stored.sealedPassword, id);
  }
}

describe('connections (contract §9), self-hosted only', () => {
  it.each(['GET', 'POST'] as const)('managed: %s /connections is 404 as JSON', async (method) => {
    const answer = await new ConnectionApi('managed').send(method, '/connections', method === 'POST' ? { body } : {});
    expect([answer.status, answer.json]).toEqual([404, { error: expect.any(String), status: 404 }]);
  });

  it('an empty list is {data: []}; 401 without key', async () => {
    const api = new ConnectionApi();
    expect((await api.send('GET', '/connections')).json).toEqual({ data: [] });
    expect((await api.send('GET', '/connections', { key: 'none' })).status).toBe(401);
  });

  it('POST answers the record, optional fields included; the password is in no answer', async () => {
    const api = new ConnectionApi();
    const optional = {
      hyperdxSettingPrefix: 'SB_1',
      isPrometheusEndpoint: true,
      prometheusEndpoint: 'http://prometheus:9090',
    };
    const created = await api.create({ ...withPassword, ...optional, id: missingId });
    const time = '2026-01-01T00:00:00.000Z';
    const id = expect.stringMatching(/^[0-9a-f]{24}$/);
    expect(created).toEqual({ id, ...body, ...optional, createdAt: time, updatedAt: time });
    const read = await api.send('GET', `/connections/${created.id}`);
    expect(api.unwrap(read)).toEqual(created);
    const all = read.body + (await api.send('GET', '/connections')).body;
    expect(all).not.toMatch(/s3cr3t|seal|assword|builtIn/);
    expect(await api.passwordOf(created.id)).toBe('s3cr3t');
  });

  it('absent stays absent; name, host and username may be empty', async () => {
    const empty = { name: '', host: '', username: '' };
    const { id: _id, createdAt: _created, updatedAt: _updated, ...rest } = await new ConnectionApi().create(empty);
    expect(rest).toEqual(empty);
  });

  it.each([
    ['name', { name: undefined }, 'name: is required'],
    ['host', { host: undefined }, 'host: is required'],
    ['username', { username: undefined }, 'username: is required'],
    ['host with a password', { host: 'http://ada:pass@ch:8123' }, 'host: must not contain a user name or password'],
    ['endpoint', { prometheusEndpoint: 'file:///etc/passwd' }, 'prometheusEndpoint: must be a web address'],
    ['host of another kind', { host: 'file:///etc/passwd' }, 'host: must be a web address'],
    ['prefix', { hyperdxSettingPrefix: 'a-b' }, 'hyperdxSettingPrefix: '],
    ['flag', { isPrometheusEndpoint: 'yes' }, 'isPrometheusEndpoint: must be a boolean'],
  ])('400 for a bad %s; nothing is stored', async (_, change, reason) => {
    const api = new ConnectionApi();
    const answer = await api.send('POST', '/connections', { body: { ...body, ...change } });
    expect([answer.status, api.errorText(answer)]).toEqual([400, expect.stringContaining(reason)]);
    expect((await api.send('GET', '/connections')).json).toEqual({ data: [] });
  });
});

describe('PUT /connections/{id}', () => {
  it.each([
    ['omitted', {}, 's3cr3t'],
    ['empty', { password: '' }, 's3cr3t'],
    ['given', { password: 'new' }, 'new'],
  ])('password %s', async (_, change, expected) => {
    const api = new ConnectionApi();
    const { id } = await api.create(withPassword);
    await api.put(id, { ...body, name: 'renamed', ...change });
    expect(await api.passwordOf(id)).toBe(expected);
  });

  it('a kept password does not travel to another host', async () => {
    const api = new ConnectionApi();
    const { id } = await api.create(withPassword);
    await api.put(id, { ...body, host: 'http://elsewhere:8123' });
    expect(await api.passwordOf(id)).toBeUndefined();
  });

  it.each([
    ['omitted', {}, 'sb'],
    ['null', { hyperdxSettingPrefix: null }, undefined],
    ['empty', { hyperdxSettingPrefix: '' }, undefined],
    ['given', { hyperdxSettingPrefix: 'x' }, 'x'],
  ])('prefix %s', async (_, change, expected) => {
    const api = new ConnectionApi();
    const { id } = await api.create({ ...body, hyperdxSettingPrefix: 'sb' });
    expect((await api.put(id, { ...body, ...change })).hyperdxSettingPrefix).toBe(expected);
  });

  it('the Prometheus flag is kept when omitted, and can be switched', async () => {
    const api = new ConnectionApi();
    const { id } = await api.create({ ...body, isPrometheusEndpoint: true });
    expect((await api.put(id, body)).isPrometheusEndpoint).toBe(true);
    expect((await api.put(id, { ...body, isPrometheusEndpoint: false })).isPrometheusEndpoint).toBe(false);
  });
});

describe('PUT: prometheusEndpoint, as Terraform’s provider sends it', () => {
  it.each([
    ['omitted', {}, 'http://prometheus:9090'],
    ['null', { prometheusEndpoint: null }, undefined],
    ['empty', { prometheusEndpoint: '' }, undefined],
    ['another', { prometheusEndpoint: 'https://prom.example.com/api' }, 'https://prom.example.com/api'],
  ])('%s', async (_, change, expected) => {
    const api = new ConnectionApi();
    const { id } = await api.create({ ...body, prometheusEndpoint: 'http://prometheus:9090' });
    expect((await api.put(id, { ...body, ...change })).prometheusEndpoint).toBe(expected);
    expect(api.unwrap(await api.send('GET', `/connections/${id}`))).toMatchObject(
      expected ? { prometheusEndpoint: expected } : {},
    );
  });
});

describe('DELETE /connections/{id}', () => {
  it('answers {}', async () => {
    const api = new ConnectionApi();
    const { id } = await api.create(body);
    const answer = await api.send('DELETE', `/connections/${id}`);
    expect([answer.status, answer.json]).toEqual([200, {}]);
    expect((await api.send('GET', `/connections/${id}`)).status).toBe(404);
  });

  it('409 while something uses it, with the names of what does; ?force=true removes its sources with it', async () => {
    const api = new ConnectionApi();
    const { id } = await api.create(body);
    api.users.set(id, [
      { kind: 'source', id: 's1', name: 'Orders' },
      { kind: 'dashboard', id: 'd1', name: 'Shop' },
    ]);
    for (const query of ['', '?force=false']) {
      const answer = await api.send('DELETE', `/connections/${id}${query}`);
      const text = 'The connection is in use by source "Orders" (s1) and dashboard "Shop" (d1).';
      expect([answer.status, api.errorText(answer)]).toEqual([409, expect.stringContaining(text)]);
    }
    api.sources.set(id, [{ id: 's1', name: 'Orders' }]);
    const forced = await api.send('DELETE', `/connections/${id}?force=true`);
    expect([forced.status, forced.json]).toEqual([200, { meta: { deletedSources: ['s1'] } }]);
  });

  it('409 for a source that came between the look and the removal', async () => {
    const api = new ConnectionApi();
    const { id } = await api.create(body);
    api.sources.set(id, [{ id: 's1', name: 'Orders' }]);
    const answer = await api.send('DELETE', `/connections/${id}`);
    expect([answer.status, api.errorText(answer)]).toEqual([409, expect.stringContaining('source "Orders" (s1)')]);
  });

  it('400 for a force that is neither true nor false', async () => {
    const api = new ConnectionApi();
    const { id } = await api.create(body);
    const answer = await api.send('DELETE', `/connections/${id}?force=please`);
    expect([answer.status, api.errorText(answer)]).toEqual([400, expect.stringContaining('force')]);
  });
});

describe('the built-in connection', () => {
  it.each(['PUT', 'DELETE'] as const)('%s: 409 with a clear text', async (method) => {
    const api = new ConnectionApi();
    await api.connections.insert(serviceId, builtInConnection(builtInId, new FakeClock()));
    const answer = await api.send(method, `/connections/${builtInId}`, method === 'PUT' ? { body } : {});
    expect([answer.status, api.errorText(answer)]).toEqual([
      409,
      'The built-in connection cannot be changed or deleted.',
    ]);
  });

  it('is listed without saying where it is', async () => {
    const api = new ConnectionApi();
    await api.connections.insert(serviceId, builtInConnection(builtInId, new FakeClock()));
    expect((await api.send('GET', '/connections')).json).toEqual({
      data: [expect.objectContaining({ id: builtInId, host: '', username: '' })],
    });
  });
});

describe.each(['GET', 'PUT', 'DELETE'] as const)('%s /connections/{id}', (method) => {
  it('404 as JSON for an unknown, malformed or foreign id (decisions F2, F6)', async () => {
    const api = new ConnectionApi();
    const { id } = await api.create(body);
    const request = method === 'PUT' ? { body } : {};
    const answers = [
      await api.send(method, `/connections/${missingId}`, request),
      await api.send(method, '/connections/nonsense', request),
      await api.send(method, `/connections/${id}`, { ...request, key: 'other' }),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.json]).toEqual([404, { message: 'Connection not found' }]);
    }
  });
});
