import { describe, expect, it } from 'vitest';
import { sourceKinds } from '../../../src/contract/source.ts';
import { defaultsOfKind, flavours, hex24, minimal, missingId, otherTenant, SourceApi, tenant } from './source-api.ts';

describe.each(flavours)('GET /sources (seed availability table: list in both flavours), %s', (flavour) => {
  it('401 without a key and with a wrong one', async () => {
    const api = new SourceApi(flavour);
    expect((await api.send('GET', '/sources', { key: 'none' })).status).toBe(401);
    expect((await api.send('GET', '/sources', { key: 'wrong' })).status).toBe(401);
  });

  it('is empty without sources, and not paged', async () => {
    const api = new SourceApi(flavour);
    expect(await api.list()).toEqual([]);
    const answer = await api.send('GET', '/sources?limit=0&offset=-1');
    expect([answer.status, answer.headers['x-total-count']]).toEqual([200, undefined]);
  });

  it('decisions S1: a new tenant has Logs, Traces and Metrics over its own tables', async () => {
    const api = new SourceApi(flavour);
    await api.defaults.createDefaults(tenant);
    const [logs, traces, metrics, ...more] = await api.list();
    expect(more).toEqual([]);
    const from = (tableName: string) => ({ databaseName: 'otel', tableName });
    expect([logs, traces, metrics]).toEqual([
      expect.objectContaining({ name: 'Logs', kind: 'log', from: from('otel_logs'), traceSourceId: traces?.id }),
      expect.objectContaining({ name: 'Traces', kind: 'trace', from: from('otel_traces'), logSourceId: logs?.id }),
      expect.objectContaining({ name: 'Metrics', kind: 'metric', from: from(''), logSourceId: logs?.id }),
    ]);
  });

  it('made twice, the defaults are there once', async () => {
    const api = new SourceApi(flavour);
    await api.defaults.createDefaults(tenant);
    await api.defaults.createDefaults(tenant);
    expect(await api.list()).toHaveLength(3);
  });

  it('warns, at the source that they would have gone to, of records that were rejected for their times', async () => {
    const api = new SourceApi(flavour);
    await api.defaults.createDefaults(tenant);
    expect((await api.send('GET', '/sources')).json).not.toHaveProperty('meta');
    const lastAtMs = Date.UTC(2026, 0, 1);
    api.mistimed.push({ signal: 'traces', clock: 'behind', records: 12, lastAtMs });
    api.mistimed.push({ signal: 'metrics', clock: 'ahead', records: 1, lastAtMs });
    const message = (what: string, why: string) =>
      expect.stringMatching(new RegExp(`^${what} rejected, the last at 2026-01-01T00:00:00.000Z: ${why}`));
    expect((await api.send('GET', '/sources')).json).toMatchObject({
      meta: {
        warnings: [
          { path: '1', message: message('12 spans were', 'their times are older') },
          { path: '2', message: message('1 data point was', 'its time is more than a day ahead') },
        ],
      },
    });
    expect((await api.send('GET', '/sources', { key: 'other' })).json).not.toHaveProperty('meta');
  });

  it('decisions F2: shows only the tenant’s own', async () => {
    const api = new SourceApi(flavour);
    await api.defaults.createDefaults(tenant);
    await api.defaults.createDefaults(otherTenant);
    const own = JSON.stringify(await api.list());
    expect(own).not.toContain('otel_other');
  });
});

describe('availability (seed: sources are listed in both flavours; decisions S1: full CRUD self-hosted)', () => {
  it.each([
    ['POST', '/sources'],
    ['GET', `/sources/${missingId}`],
    ['PUT', `/sources/${missingId}`],
    ['DELETE', `/sources/${missingId}`],
  ] as const)('managed: %s %s is not offered, as JSON', async (method, path) => {
    const api = new SourceApi('managed');
    const answer = await api.send(method, path, method === 'GET' || method === 'DELETE' ? {} : { body: {} });
    expect(answer.status).toBe(404);
    expect(answer.json).toEqual({ error: expect.any(String), status: 404 });
  });
});

describe('POST /sources', () => {
  it.each(sourceKinds)('%s: the answer is exactly the fields of its kind, defaults filled in', async (kind) => {
    const api = new SourceApi();
    const body = { ...minimal[kind], connection: await api.connectionId() };
    const created = await api.create({ ...body, id: missingId, team: 'x', createdAt: 'x', metricTable: 'x' });
    expect(created).toEqual({ id: expect.stringMatching(hex24), ...body, ...defaultsOfKind[kind] });
    expect(created.id).not.toBe(missingId);
    expect(await api.list()).toEqual([created]);
  });

  it('a session without timestamp expression reads as TimestampTime', async () => {
    const api = new SourceApi();
    const { timestampValueExpression: _left, ...body } = minimal.session;
    expect(await api.create({ ...body, connection: await api.connectionId() })).toMatchObject({
      timestampValueExpression: 'TimestampTime',
    });
  });

  it('keeps section when present, and a trace’s logSourceId of null', async () => {
    const api = new SourceApi();
    const connection = await api.connectionId();
    const created = await api.create({ ...minimal.trace, connection, section: 'shop', logSourceId: null });
    expect(created).toMatchObject({ section: 'shop', logSourceId: null });
  });

  it('drops unknown keys inside nested objects', async () => {
    const api = new SourceApi();
    const from = { ...minimal.log.from, cluster: 'x' };
    const querySettings = [{ setting: 'max_threads', value: '2', note: 'x' }];
    const created = await api.create({ ...minimal.log, from, querySettings, connection: await api.connectionId() });
    expect(created).toMatchObject({ from: minimal.log.from, querySettings: [{ setting: 'max_threads', value: '2' }] });
    expect(JSON.stringify(created)).not.toContain('note');
  });

  it.each([
    ['5 minute', '5m'],
    ['15 seconds', '15s'],
    ['1 hour', '1h'],
    ['1 day', '1d'],
    ['5m', '5m'],
    ['fortnight', 'fortnight'],
  ])('granularity %s is returned as %s', async (sent, returned) => {
    const api = new SourceApi();
    const view = {
      databaseName: 'otel',
      tableName: 'rollup',
      dimensionColumns: 'ServiceName',
      minGranularity: sent,
      timestampColumn: 'Timestamp',
      aggregatedColumns: [{ aggFn: 'count', mvColumn: 'n' }],
    };
    const metadataMaterializedViews = { kvRollupTable: 'kv', granularity: sent };
    const connection = await api.connectionId();
    const body = { ...minimal.log, connection, materializedViews: [view], metadataMaterializedViews };
    expect(await api.create(body)).toMatchObject({
      materializedViews: [{ ...view, minGranularity: returned }],
      metadataMaterializedViews: { kvRollupTable: 'kv', granularity: returned },
    });
  });

  it.each([
    ['name', { name: '' }, 'name: must not be empty'],
    ['kind', { kind: 'logs' }, 'kind: must be one of log, trace, metric, session, promql'],
    ['section', { section: 'x'.repeat(257) }, 'section: must have at most 256 characters'],
    ['from', { from: { databaseName: 'otel', tableName: '' } }, 'from.tableName: must not be empty'],
    ['select', { defaultTableSelectExpression: undefined }, 'defaultTableSelectExpression: is required'],
    [
      'settings',
      { querySettings: Array(11).fill({ setting: 'a', value: 'b' }) },
      'querySettings: must have at most 10',
    ],
    ['connection', { connection: missingId }, 'connection: there is no such connection.'],
    ['malformed connection', { connection: 'nonsense' }, 'connection: there is no such connection.'],
  ])('400 for a bad %s; nothing is stored', async (_, change, reason) => {
    const api = new SourceApi();
    const body = { ...minimal.log, connection: await api.connectionId(), ...change };
    const answer = await api.send('POST', '/sources', { body });
    expect([answer.status, api.errorText(answer)]).toEqual([400, expect.stringContaining(reason)]);
    expect(await api.list()).toEqual([]);
  });

  it.each(['log', 'trace'] as const)(
    'a tableFilterExpression of a %s source that is not one SQL condition is rejected with its position, on PUT too',
    async (kind) => {
      const api = new SourceApi();
      const body = { ...minimal[kind], connection: await api.connectionId() };
      const { id } = await api.create({
        ...body,
        tableFilterExpression: "ServiceName = 'web' AND NOT Body ILIKE '%x%'",
      });
      for (const [method, path] of [
        ['POST', '/sources'],
        ['PUT', `/sources/${id}`],
      ] as const) {
        const answer = await api.send(method, path, { body: { ...body, tableFilterExpression: "a = 'b' AND (" } });
        const reason = expect.stringMatching(/^tableFilterExpression: .* \(at position 13\)$/);
        expect([answer.status, api.errorText(answer)]).toEqual([400, reason]);
      }
      expect(await api.list()).toEqual([
        expect.objectContaining({ id, tableFilterExpression: "ServiceName = 'web' AND NOT Body ILIKE '%x%'" }),
      ]);
    },
  );

  it('400 for a metric source without any table', async () => {
    const api = new SourceApi();
    const body = { ...minimal.metric, metricTables: { gauge: '' }, connection: await api.connectionId() };
    const answer = await api.send('POST', '/sources', { body });
    expect([answer.status, api.errorText(answer)]).toEqual([
      400,
      expect.stringContaining('metricTables: at least one'),
    ]);
  });

  it.each(['otel_other', 'default', 'system', 'OTEL', 'otel '])(
    'decisions F2, S2: the built-in connection reads no other database, such as "%s"',
    async (databaseName) => {
      const api = new SourceApi();
      const connection = await api.connectionId();
      const body = { ...minimal.log, connection, from: { databaseName, tableName: 'otel_logs' } };
      const answer = await api.send('POST', '/sources', { body });
      expect([answer.status, api.errorText(answer)]).toEqual([
        400,
        `from.databaseName: the built-in connection reads only the database "otel", not "${databaseName}".`,
      ]);
      expect(await api.list()).toEqual([]);
    },
  );

  it('decisions F2: another tenant’s connection reads as an unknown one', async () => {
    const api = new SourceApi();
    const body = { ...minimal.log, connection: await api.connectionId(otherTenant) };
    const answer = await api.send('POST', '/sources', { body });
    expect([answer.status, api.errorText(answer)]).toEqual([400, 'connection: there is no such connection.']);
  });

  it('a key that may only read: 403', async () => {
    const api = new SourceApi();
    const body = { ...minimal.log, connection: await api.connectionId() };
    expect((await api.send('POST', '/sources', { body, key: 'reader' })).status).toBe(403);
    expect((await api.send('GET', '/sources', { key: 'reader' })).status).toBe(200);
  });
});

describe('GET, PUT and DELETE /sources/{id}', () => {
  async function withSource() {
    const api = new SourceApi();
    const connection = await api.connectionId();
    const source = await api.create({ ...minimal.log, connection, section: 'shop' });
    return { api, connection, source, path: `/sources/${source.id}` };
  }

  it('GET answers what POST answered', async () => {
    const { api, source, path } = await withSource();
    expect(api.unwrap(await api.send('GET', path))).toEqual(source);
  });

  it('PUT replaces the whole record: what is left out is gone', async () => {
    const { api, connection, source, path } = await withSource();
    const body = { ...minimal.log, connection, name: 'renamed' };
    const replaced = api.unwrap(await api.send('PUT', path, { body }));
    expect(replaced).toEqual({ id: source.id, ...body, ...defaultsOfKind.log });
    expect(api.unwrap(await api.send('GET', path))).toEqual(replaced);
  });

  it('U-91 the list has id, name and kind; the id stays through a rename', async () => {
    const { api, connection, source, path } = await withSource();
    const body = { ...minimal.log, connection, name: 'renamed' };
    expect((await api.send('PUT', path, { body })).status).toBe(200);
    const listed = expect.objectContaining({ id: source.id, name: 'renamed', kind: 'log' });
    expect(await api.list()).toContainEqual(listed);
  });

  it('PUT of a GET changes nothing', async () => {
    const { api, source, path } = await withSource();
    expect(api.unwrap(await api.send('PUT', path, { body: source }))).toEqual(source);
  });

  it('the kind may change, and fields of the old kind are dropped', async () => {
    const { api, connection, source, path } = await withSource();
    const body = { ...minimal.metric, connection, defaultTableSelectExpression: 'x' };
    const replaced = api.unwrap(await api.send('PUT', path, { body }));
    expect(replaced).toEqual({ id: source.id, ...minimal.metric, connection, ...defaultsOfKind.metric });
  });

  it('PUT to another tenant’s database: 400, and the source is unchanged', async () => {
    const { api, connection, source, path } = await withSource();
    const from = { databaseName: 'otel_other', tableName: 'otel_logs' };
    expect((await api.send('PUT', path, { body: { ...minimal.log, connection, from } })).status).toBe(400);
    expect(api.unwrap(await api.send('GET', path))).toEqual(source);
  });

  it('DELETE answers {} and the source is gone', async () => {
    const { api, path } = await withSource();
    const answer = await api.send('DELETE', path);
    expect([answer.status, answer.json]).toEqual([200, {}]);
    expect((await api.send('GET', path)).status).toBe(404);
  });

  it('DELETE: 409 while something uses it, with the names of what does; ?force=true removes it all the same', async () => {
    const { api, source, path } = await withSource();
    const shop = { kind: 'dashboard', id: 'd1', name: 'Shop' };
    api.users.set(source.id, [shop, { kind: 'saved search', id: 'f1', name: 'Errors' }]);
    const answer = await api.send('DELETE', path);
    const text = 'The source is in use by dashboard "Shop" (d1) and saved search "Errors" (f1).';
    expect([answer.status, api.errorText(answer)]).toEqual([409, expect.stringContaining(text)]);
    expect(await api.list()).toEqual([source]);
    const forced = await api.send('DELETE', `${path}?force=true`);
    expect([forced.status, forced.json]).toEqual([200, {}]);
  });

  const methods = ['GET', 'PUT', 'DELETE'] as const;

  it.each(methods)('%s: 401 without key', async (method) => {
    const { api, path } = await withSource();
    expect((await api.send(method, path, { key: 'none' })).status).toBe(401);
  });

  it.each(methods)('%s: 404 for an unknown, malformed or foreign id (decisions F2, F6)', async (method) => {
    const { api, source, path } = await withSource();
    const body = method === 'PUT' ? { body: {} } : {};
    for (const id of [missingId, 'nonsense', source.id.toUpperCase().replace(/^/, 'A')]) {
      const answer = await api.send(method, `/sources/${id}`, body);
      expect([answer.status, answer.json]).toEqual([404, { message: 'Source not found' }]);
    }
    const foreign = await api.send(method, path, { ...body, key: 'other' });
    expect([foreign.status, foreign.json]).toEqual([404, { message: 'Source not found' }]);
    expect(await api.list()).toEqual([source]);
  });

  it('decisions D2: 401, then JSON 400, then 404, then the schema', async () => {
    const { api, path } = await withSource();
    const send = async (to: string, request: object) => (await api.send('PUT', to, request)).status;
    expect(await send(`/sources/${missingId}`, { text: '{', key: 'none' })).toBe(401);
    expect(await send(`/sources/${missingId}`, { text: '{' })).toBe(400);
    expect(await send(`/sources/${missingId}`, { body: {} })).toBe(404);
    expect(await send(path, { body: {} })).toBe(400);
  });
});
