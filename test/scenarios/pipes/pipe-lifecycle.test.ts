import { describe, expect, it } from 'vitest';
import type { TestRequest } from '../../../src/http/testing.ts';
import { FakeConnector } from '../../../src/pipes/fake-connector.ts';
import { SourceError } from '../../../src/pipes/source-port.ts';
import { aliasedFlavour, PipeApi } from './pipe-api.ts';

const accessKey = { accessKeyId: 'planted-key-id', secretKey: 'planted-secret-key' };
const objectStorage = { url: 'https://lake.s3.amazonaws.com/*', type: 's3', format: 'JSONEachRow', accessKey };
const body = {
  name: 'orders',
  source: { objectStorage },
  destination: { table: 'orders', managedTable: true, columns: [{ name: 'id', type: 'UInt64' }] },
  settings: { object_storage_polling_interval_ms: 1_000 },
};

class Api extends PipeApi {
  readonly connector: FakeConnector;

  constructor(options: ConstructorParameters<typeof PipeApi>[0] = {}) {
    const connector = new FakeConnector();
    super({ connectors: [connector], ...options });
    this.connector = connector;
  }

  async call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    sent?: unknown,
    request: TestRequest = {},
  ) {
    const answer = await this.send(method, path, { ...request, ...(sent !== undefined && { body: sent }) });
    expect(answer.body).not.toContain('planted');
    return { status: answer.status, json: answer.json as { result: Record<string, unknown>; error: string } };
  }

  async created(change: object = {}): Promise<string> {
    const { json } = await this.call('POST', '/pipes', { ...body, ...change });
    return String(json.result.id);
  }
}

describe('create', () => {
  it('stores what is sent, in its order, without secrets, provisioned; get returns the same', async () => {
    const api = new Api();
    const { status, json } = await api.call('POST', '/pipes', body);
    expect(status).toBe(200);
    const { id, serviceId, createdAt, updatedAt, ...rest } = json.result;
    const { accessKey: _, ...shown } = objectStorage;
    expect(rest).toEqual({ ...body, state: 'Provisioning', source: { objectStorage: shown } });
    expect((await api.call('GET', `/pipes/${id}`)).json.result).toEqual(json.result);
    expect((await api.call('GET', '/pipes')).json.result).toEqual([json.result]);
    expect([serviceId, createdAt]).toEqual([expect.any(String), updatedAt]);
  });

  it('accepts what existing clients send: nulls for what is absent, read-only fields, their prefix of settings', async () => {
    const api = new Api();
    const settings = { clickhouse_max_threads: 8, object_storage_concurrency: null };
    const source = { objectStorage, kafka: null, postgres: null, validateSamples: false };
    const sent = { ...body, id: 'x', state: 'Running', createdAt: 'y', source, settings, scaling: null };
    const { status, json } = await api.call('POST', '/pipes', sent);
    expect(status).toBe(200);
    expect(json.result).toMatchObject({ state: 'Provisioning', settings: { engine_max_threads: 8 } });
    expect(Object.keys(json.result.source as object)).toEqual(['objectStorage']);
  });

  it.each([
    ['a kind that cannot be read', { source: { kafka: { brokers: 'b:9092' } } }, /kafka sources cannot be read/],
    ['no table', { destination: {} }, /destination\.table: is required/],
    [
      'a type that is not one',
      { destination: { table: 't', columns: [{ name: 'a', type: 'X; DROP' }] } },
      /columns\.0\.type/,
    ],
    ['a misspelt field', { settings: { engine_max_thread: 1 } }, /did you mean engine_max_threads\?/],
    ['a name that is empty', { name: '' }, /name/],
  ])('%s is rejected with a sentence, and nothing is stored', async (_, change, reason) => {
    const api = new Api();
    const { status, json } = await api.call('POST', '/pipes', { ...body, ...change });
    expect([status, Object.keys(json)]).toEqual([400, ['error', 'status']]);
    expect(json.error).toMatch(reason);
    expect((await api.call('GET', '/pipes')).json.result).toEqual([]);
  });

  it('startPaused begins as Stopped, and is not part of the record; a start command runs it', async () => {
    const api = new Api();
    const { status, json } = await api.call('POST', '/pipes', { ...body, startPaused: true });
    expect([status, json.result.state, 'startPaused' in json.result]).toEqual([200, 'Stopped', false]);
    const started = await api.call('PATCH', `/pipes/${json.result.id}/state`, { command: 'start' });
    expect(started.json.result.state).toBe('Provisioning');
    for (const startPaused of [false, null]) {
      expect((await api.call('POST', '/pipes', { ...body, startPaused })).json.result.state).toBe('Provisioning');
    }
  });

  it.each([
    ['another value', { startPaused: 'yes' }, /startPaused: must be a boolean/],
    ['a database', { startPaused: true, source: { postgres: {} } }, /startPaused: is not possible for databases/],
  ])('startPaused with %s is rejected', async (_, change, reason) => {
    const api = new Api();
    const { status, json } = await api.call('POST', '/pipes', { ...body, ...change });
    expect([status, json.error]).toEqual([400, expect.stringMatching(reason)]);
  });

  it('a check tests the source and lists what it has; the rest of the pipe may be absent, and nothing is stored', async () => {
    const api = new Api();
    api.connector.append('a', 'b');
    const { source } = body;
    expect((await api.call('POST', '/pipes/check', { source })).json.result).toEqual({ ok: true, names: ['a', 'b'] });
    api.connector.openError = new SourceError('rejected', 'The object storage denies access.');
    const failed = await api.call('POST', '/pipes/check', { source });
    expect(failed.json.result).toEqual({ ok: false, message: 'The object storage denies access.' });
    expect((await api.call('POST', '/pipes/check', {})).json.error).toMatch(/source: is required/);
    expect((await api.call('POST', '/pipes/check', { source, nmae: 'x' })).status).toBe(400);
    expect((await api.call('POST', '/pipes/check', { source }, { key: 'reader' })).status).toBe(403);
    expect((await api.call('GET', '/pipes')).json.result).toEqual([]);
  });

  it('validateSamples asks the source before anything is stored', async () => {
    const api = new Api();
    api.connector.openError = new SourceError('rejected', 'The object storage denies access.');
    const sent = { ...body, source: { ...body.source, validateSamples: true } };
    expect((await api.call('POST', '/pipes', sent)).json.error).toMatch(/denies access/);
    api.connector.openError = undefined;
    expect((await api.call('POST', '/pipes', sent)).status).toBe(200);
    expect(api.connector.closed).toBe(1);
  });

  it.each([
    ['POST', '/pipes'],
    ['PATCH', '/pipes/ID'],
    ['DELETE', '/pipes/ID'],
    ['PATCH', '/pipes/ID/state'],
    ['PATCH', '/pipes/ID/scaling'],
    ['PUT', '/pipes/ID/settings'],
  ] as const)('%s %s needs a key that may write, and a pipe of the service', async (word, resource) => {
    const api = new Api();
    const id = await api.created();
    const [method, path] = [word, resource.replace('ID', id)];
    const sent = path.endsWith('state') ? { command: 'stop' } : path === '/pipes' ? body : {};
    const given = method === 'DELETE' ? undefined : sent;
    expect((await api.call(method, path, given, { key: 'reader' })).status).toBe(403);
    if (path !== '/pipes') {
      const other = path.replace(id, '99999999-2222-4333-8444-555555555555');
      expect((await api.call(method, other, given)).status).toBe(404);
      expect((await api.call(method, path.replace(id, 'x'), given)).status).toBe(400);
    }
  });
});

describe('change', () => {
  it('a patch merges, null removes, secrets stay, updatedAt moves', async () => {
    const api = new Api();
    const id = await api.created();
    const before = await api.pipes.find(String((await api.call('GET', `/pipes/${id}`)).json.result.serviceId), id);
    const patch = {
      name: 'renamed',
      source: { objectStorage: { isContinuous: true } },
      settings: { object_storage_polling_interval_ms: null, object_storage_concurrency: 2 },
      fieldMappings: [{ sourceField: 'a', destinationField: 'id' }],
    };
    const { status, json } = await api.call('PATCH', `/pipes/${id}`, patch);
    expect(status).toBe(200);
    const { accessKey: _, ...shown } = objectStorage;
    expect(json.result).toMatchObject({
      name: 'renamed',
      source: { objectStorage: { ...shown, isContinuous: true } },
      settings: { object_storage_concurrency: 2 },
      fieldMappings: patch.fieldMappings,
    });
    expect(json.result.settings).not.toHaveProperty('object_storage_polling_interval_ms');
    expect(json.result.updatedAt).not.toBe(before?.updatedAt);
    const after = await api.pipes.find(String(json.result.serviceId), id);
    expect(after?.sealedSecrets).toBeDefined();
    expect((await api.call('GET', `/pipes/${id}`)).json.result).toEqual(json.result);
  });

  it.each([
    [{ source: { postgres: { host: 'h' } } }, /kind of source cannot be changed/],
    [{ destination: { table: 'other' } }, /destination\.table: cannot be changed/],
    [{ name: null }, /name/],
    [{ destination: { columns: [] } }, /columns/],
    ['text', /JSON object/],
  ])('%j is rejected, and nothing changes', async (patch, reason) => {
    const api = new Api();
    const id = await api.created();
    const before = (await api.call('GET', `/pipes/${id}`)).json;
    const { status, json } = await api.call('PATCH', `/pipes/${id}`, patch);
    expect(status).toBe(400);
    expect(json.error).toMatch(reason);
    expect((await api.call('GET', `/pipes/${id}`)).json.result).toEqual(before.result);
  });

  it('scaling is merged and has its ranges; settings are replaced', async () => {
    const api = new Api();
    const id = await api.created();
    expect((await api.call('PATCH', `/pipes/${id}/scaling`, { replicas: 2 })).json.result.scaling).toEqual({
      replicas: 2,
    });
    const memory = await api.call('PATCH', `/pipes/${id}/scaling`, { replicaMemoryGb: 0.5 });
    expect(memory.json.result.scaling).toEqual({ replicas: 2, replicaMemoryGb: 0.5 });
    expect((await api.call('PATCH', `/pipes/${id}/scaling`, { replicas: 41 })).json.error).toMatch(/1 to 40/);
    const settings = { engine_max_threads: 4 };
    expect((await api.call('PUT', `/pipes/${id}/settings`, settings)).json.result).toEqual(settings);
    expect((await api.call('GET', `/pipes/${id}/settings`)).json.result).toEqual(settings);
  });

  it('decisions F7: below the path word of existing clients, settings have their prefix', async () => {
    const api = new Api({ flavour: aliasedFlavour() });
    const id = await api.created();
    await api.call('PUT', `/pipes/${id}/settings`, { clickhouse_max_threads: 4 });
    const path = `/pipes/${id}/settings`;
    const aliased = async (resource: string) =>
      api.unwrap(await api.sendTo('GET', api.path(resource).replace('/pipes', '/clickpipes')));
    expect((await api.call('GET', path)).json.result).toEqual({ engine_max_threads: 4 });
    expect(await aliased(path)).toEqual({ clickhouse_max_threads: 4 });
    expect(await aliased('/pipes')).toMatchObject([{ settings: { clickhouse_max_threads: 4 } }]);
  });
});

describe('state', () => {
  it('stop and start change it; what is not possible is 409 and says from where it is', async () => {
    const api = new Api();
    const id = await api.created();
    const command = (word: string) => api.call('PATCH', `/pipes/${id}/state`, { command: word });
    expect((await command('stop')).json.result.state).toBe('Stopping');
    expect((await api.call('GET', `/pipes/${id}`)).json.result.state).toBe('Stopping');
    const impossible = await command('start');
    expect(impossible.status).toBe(409);
    expect(impossible.json.error).toMatch(/The pipe is Stopping.*Stopped, Paused, Completed, Failed/);
    expect((await command('resync')).json.error).toMatch(/no such command/);
    expect((await command('pause')).status).toBe(400);
  });

  it('status has the reason, what was moved, and the history', async () => {
    const api = new Api();
    const id = await api.created();
    await api.runs.adopt({ nowMs: 1, max: 1 });
    await api.runs.claimDue({ owner: 'o', nowMs: 1, leaseUntilMs: 9, max: 1 });
    const progress = { rows: 5, bytes: 50, errors: 1 };
    await api.runs.write({ owner: 'o', pipeId: id, entries: [], progress, nowMs: 2 });
    await api.runs.move({ owner: 'o', pipeId: id, event: 'fail', reason: 'The key is wrong.', nowMs: 3 });
    const { result } = (await api.call('GET', `/pipes/${id}/status`)).json;
    const at = '1970-01-01T00:00:00.003Z';
    expect(result).toEqual({
      commands: ['start', 'stop'],
      ...{ state: 'Failed', reason: 'The key is wrong.', since: at, ...progress },
      lastSuccessAt: '1970-01-01T00:00:00.002Z',
      changes: [{ at, state: 'Failed', reason: 'The key is wrong.', by: 'supervisor' }],
    });
    expect((await api.call('GET', `/pipes/${id}`)).json.result.state).toBe('Failed');
  });

  it('delete removes it; a second time it is missing', async () => {
    const api = new Api();
    const id = await api.created();
    expect((await api.call('DELETE', `/pipes/${id}`)).status).toBe(200);
    expect((await api.call('DELETE', `/pipes/${id}`)).status).toBe(404);
    expect((await api.call('GET', `/pipes/${id}/status`)).status).toBe(404);
    // With its secrets, which the source asks for.
    expect(api.connector.removed).toMatchObject([{ id, source: { objectStorage: { accessKey } } }]);
  });

  it('a pipe is deleted although what it made at its source cannot be removed', async () => {
    const api = new Api();
    const id = await api.created();
    api.connector.removeError = new SourceError('away', 'It is away.');
    expect((await api.call('DELETE', `/pipes/${id}`)).status).toBe(200);
    expect((await api.call('GET', `/pipes/${id}`)).status).toBe(404);
  });
});

it('decisions F3: the self-hosted flavour has none of it', async () => {
  const api = new Api({ name: 'selfHosted' });
  for (const [method, path] of [
    ['POST', '/pipes'],
    ['PATCH', '/pipes/x/state'],
    ['GET', '/pipes/x/status'],
  ] as const) {
    expect((await api.call(method, path, method === 'GET' ? undefined : {})).status).toBe(404);
  }
});
