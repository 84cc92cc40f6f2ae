import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawAnswer, RawClient } from '../../support/raw-http.ts';
import { ids } from '../../support/two-tenancies.ts';
import { ClientWorld, goHeaders, type KnownIds } from './client-world.ts';

/**
 * The official Terraform provider: the user's JSON travels untouched, the state holds what was authored; ids are mined
 * from the answer by tile name. Both modes differ in base path, credentials and envelope only.
 */
let world: ClientWorld;
beforeAll(async () => {
  world = await ClientWorld.open();
});
afterAll(() => world?.close());

interface Mode {
  client: () => RawClient;
  payload: (answer: RawAnswer) => Record<string, never>;
}
const modes = {
  selfHosted: {
    client: () => world.selfHosted({ ...goHeaders, 'x-hdx-team': 'Own' }),
    payload: ({ json }) => json.data,
  },
  managed: { client: () => world.managed(goHeaders), payload: ({ json }) => json.result },
} satisfies Record<string, { client: () => RawClient; payload: (answer: RawAnswer) => unknown }>;

/** Written by hand: indented, keys in no order of ours, numbers and nulls as people write them. */
const authored = ({ log }: KnownIds, filterId = '') => `{
  "tiles": [
    {"name": "Errors", "y": 0, "x": 0, "h": 6, "w": 12,
     "config": {"select": [{"aggFn": "count", "where": "SeverityText:error", "whereLanguage": "lucene", "valueExpression": ""}],
                "sourceId": "${log}", "displayType": "line", "groupBy": "ServiceName"}},
    {"name": "Notes", "w": 12, "h": 6, "x": 12, "y": 0, "config": {"markdown": "# Runbook", "displayType": "markdown"}}
  ],
  "filters": [{${filterId}"name": "Service", "type": "QUERY_EXPRESSION", "expression": "ServiceName", "sourceId": "${log}"}],
  "name": "From Terraform",
  "tags": ["terraform", "errors"]
}`;

describe.each(['selfHosted', 'managed'] as const)('%s mode', (mode) => {
  const { payload }: Pick<Mode, 'payload'> = modes[mode];
  const client = () => modes[mode].client();

  it('plans with validate: 200 with {valid, errors, normalized}, also for an invalid configuration', async () => {
    const resultOf = async (text: string) => {
      const answer = await client().send('POST', '/dashboards/validate', text);
      expect(answer.status).toBe(200);
      return mode === 'managed' ? answer.json.result : answer.json;
    };
    expect(await resultOf(authored(await world.known(mode)))).toMatchObject({
      valid: true,
      errors: [],
      normalized: {},
    });
    const bad = await resultOf('{"name": "x", "tiles": [{"config": {"displayType": "pancake"}}]}');
    expect(bad).toMatchObject({ valid: false, normalized: null });
    expect(bad.errors[0]).toEqual({ path: expect.stringMatching(/^tiles\.0\.config/), message: expect.any(String) });
  });

  it('creates, refreshes without a difference, updates in place and deletes a dashboard', async () => {
    const known = await world.known(mode);
    const created = await client().send('POST', '/dashboards', authored(known));
    expect(created.status, created.text).toBe(200);
    const dashboard = payload(created) as unknown as WireDashboard;
    expect(dashboard.id).toMatch(/^[0-9a-f]{24}$/);
    const read = await client().send('GET', `/dashboards/${dashboard.id}`);
    expect(payload(read)).toEqual(dashboard);
    expect(withoutIds(dashboard)).toEqual(JSON.parse(authored(known)));

    // Ids by tile name; the filter has an id now.
    const [filter] = dashboard.filters;
    const next = JSON.parse(authored(known, `"id": "${filter?.id}", `));
    for (const tile of next.tiles) tile.id = dashboard.tiles.find(({ name }) => name === tile.name)?.id;
    next.tiles.reverse();
    next.name = 'Renamed';
    const updated = await client().send('PUT', `/dashboards/${dashboard.id}`, JSON.stringify(next));
    expect(updated.status, updated.text).toBe(200);
    expect(payload(updated)).toEqual({ ...next, id: dashboard.id });
    expect(payload(await client().send('GET', `/dashboards/${dashboard.id}`))).toEqual(payload(updated));

    const removed = await client().send('DELETE', `/dashboards/${dashboard.id}`);
    expect(removed.status).toBe(200);
    if (mode === 'selfHosted') expect(removed.json).toEqual({});
    else expect(Object.keys(removed.json)).toEqual(['requestId', 'status']);
    await expectGone(`/dashboards/${dashboard.id}`);
  });

  it('takes ids that the client has made for new filters and tiles, and gives them its own, which then stay', async () => {
    const { log } = await world.known(mode);
    const { id } = payload(await client().send('POST', '/dashboards', '{"name":"x"}')) as unknown as WireDashboard;
    const own = 'abcdefabcdefabcdefabcdef';
    const minted = /^(?!abcdef)[0-9a-f]{24}$/;
    const filter = { id: own, type: 'QUERY_EXPRESSION', name: 'Service', expression: 'ServiceName', sourceId: log };
    const body = { tiles: [{ id: own, name: 'new' }], filters: [filter] };
    const answer = await client().send('PUT', `/dashboards/${id}`, JSON.stringify(body));
    const { tiles, filters } = payload(answer) as unknown as WireDashboard;
    expect(filters).toEqual([{ ...filter, id: expect.stringMatching(minted) }]);
    expect(tiles).toMatchObject([{ name: 'new', id: expect.stringMatching(minted) }]);
    const again = await client().send('PUT', `/dashboards/${id}`, JSON.stringify({ tiles, filters }));
    expect(payload(again)).toMatchObject({ tiles, filters });
  });

  it('keeps an alert: explicit null for the schedule, thresholdMax for ranges only, drift read field by field', async () => {
    const { log, webhook } = await world.known(mode);
    const series = [{ sourceId: log, aggFn: 'count', where: '', groupBy: [] }];
    const dashboard = payload(
      await client().send('POST', '/dashboards', JSON.stringify({ name: 'x', tiles: [{ name: 'Errors', series }] })),
    ) as unknown as WireDashboard;
    const rule = {
      source: 'tile',
      dashboardId: dashboard.id,
      tileId: dashboard.tiles[0]?.id,
      threshold: 10,
      thresholdType: 'above',
      interval: '5m',
      channel: { type: 'webhook', webhookId: webhook },
      name: 'Errors',
      scheduleStartAt: null,
    };
    const created = await client().send('POST', '/alerts', JSON.stringify(rule));
    expect(created.status, created.text).toBe(200);
    const alert = payload(created) as Record<string, unknown>;
    for (const [key, value] of Object.entries(rule)) expect(alert[key] ?? null, key).toEqual(value);
    expect(alert.scheduleOffsetMinutes ?? 0).toBe(0);
    const ranged = { ...rule, thresholdType: 'between', thresholdMax: 20, scheduleStartAt: '2026-01-01T00:00:00.000Z' };
    const updated = payload(await client().send('PUT', `/alerts/${alert.id}`, JSON.stringify(ranged)));
    expect(updated).toMatchObject({ thresholdType: 'between', thresholdMax: 20 });
    expect(Date.parse(String((updated as Record<string, unknown>).scheduleStartAt))).toBe(Date.UTC(2026, 0, 1));
    expect((await client().send('DELETE', `/alerts/${alert.id}`)).status).toBe(200);
    await expectGone(`/alerts/${alert.id}`);
  });

  it('lists with query parameters that the route does not know', async () => {
    for (const resource of ['/sources', '/dashboards', '/alerts']) {
      const answer = await client().send('GET', `${resource}?limit=200&offset=0&service%5B%5D=generic&x=1`);
      expect([resource, answer.status]).toEqual([resource, 200]);
      expect(Array.isArray(payload(answer))).toBe(true);
    }
  });

  /** Gone means 404 with a JSON body; an HTML page would be read as a missing route. */
  async function expectGone(path: string): Promise<void> {
    for (const method of ['GET', 'DELETE']) {
      const answer = await client().send(method, path);
      expect(answer.status).toBe(404);
      expect(answer.json).toHaveProperty(mode === 'managed' ? 'error' : 'message');
    }
  }
});

describe('self-hosted only', () => {
  it('reads webhooks page by page until meta.total', async () => {
    const client = world.selfHosted(goHeaders);
    const made = [];
    for (let index = 0; index < 5; index++) {
      const body = { name: `paged ${index}`, service: 'generic', url: 'http://127.0.0.1:9/', headers: { a: 'secret' } };
      made.push((await client.send('POST', '/webhooks', JSON.stringify(body))).json.data.id);
    }
    const seen: string[] = [];
    for (let total = Number.POSITIVE_INFINITY; seen.length < total; ) {
      const { json } = await client.send('GET', `/webhooks?limit=2&offset=${seen.length}`);
      expect(json.data.length).toBeGreaterThan(0);
      for (const webhook of json.data) expect(webhook).not.toHaveProperty('headers');
      seen.push(...json.data.map(({ id }: { id: string }) => id));
      total = json.meta.total;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(made));
  });

  it('reads a source by id', async () => {
    const { log } = await world.known('selfHosted');
    const { json } = await world.selfHosted(goHeaders).send('GET', `/sources/${log}`);
    expect(json.data).toMatchObject({ id: log, kind: 'log', name: 'Logs', connection: expect.stringMatching(/./) });
  });
});

describe('self-hosted only: as the provider’s acceptance tests do it', () => {
  type Record = { [key: string]: unknown; id: string };
  const send = async (method: string, path: string, body?: object): Promise<Record> => {
    const answer = await world.selfHosted(goHeaders).send(method, path, body && JSON.stringify(body));
    expect(answer.status, answer.text).toBe(200);
    return answer.json.data;
  };

  it('links two sources to each other: it writes back what it read, with one link more or one less', async () => {
    const connection = await send('POST', '/connections', {
      name: 'links',
      host: 'http://localhost:8123',
      username: 'a',
    });
    const common = { connection: connection.id, timestampValueExpression: 'Timestamp' };
    const traces = await send('POST', '/sources', {
      ...common,
      name: 'links traces',
      kind: 'trace',
      from: { databaseName: 'default', tableName: 'otel_traces' },
      defaultTableSelectExpression: 'Timestamp, SpanName',
      durationExpression: 'Duration',
      durationPrecision: 9,
      traceIdExpression: 'TraceId',
      spanIdExpression: 'SpanId',
      parentSpanIdExpression: 'ParentSpanId',
      spanNameExpression: 'SpanName',
      spanKindExpression: 'SpanKind',
    });
    const logs = await send('POST', '/sources', {
      ...common,
      name: 'links logs',
      kind: 'log',
      from: { databaseName: 'default', tableName: 'otel_logs' },
      defaultTableSelectExpression: 'Timestamp, Body',
      traceSourceId: traces.id,
    });
    const path = `/sources/${traces.id}`;
    const linked = await send('PUT', path, { ...(await send('GET', path)), logSourceId: logs.id });
    expect(linked).toEqual({ ...traces, logSourceId: logs.id });
    // An update of the source itself sends the link that it found.
    const renamed = await send('PUT', path, { ...linked, name: 'renamed' });
    expect(renamed).toEqual({ ...linked, name: 'renamed' });
    const { logSourceId: _, ...without } = await send('GET', path);
    expect(await send('PUT', path, without)).not.toHaveProperty('logSourceId');
    for (const { id } of [logs, traces]) await send('DELETE', `/sources/${id}`);
    await send('DELETE', `/connections/${connection.id}`);
  });

  it('moves an alert from several channels to one and back; its own tags stay its own', async () => {
    const { log } = await world.known('selfHosted');
    const hook = (name: string) =>
      send('POST', '/webhooks', { name, service: 'generic', url: `https://example.com/${name}` });
    const [first, second] = [await hook('tf-1'), await hook('tf-2')];
    const search = {
      name: 'tf',
      sourceId: log,
      select: '',
      where: 'SeverityText:error',
      whereLanguage: 'lucene',
      orderBy: '',
    };
    const saved = await send('POST', '/saved-searches', { ...search, tags: ['of-the-search'], filters: [] });
    const channels = [first, second].map(({ id }) => ({ type: 'webhook', webhookId: id }));
    const rule = {
      source: 'saved_search',
      savedSearchId: saved.id,
      interval: '5m',
      threshold: 100,
      thresholdType: 'above',
    };
    const both = { ...rule, channel: channels[0], channels, tags: ['own', 'default'], scheduleStartAt: null };
    const one = { ...rule, channel: channels[0], tags: ['own'], scheduleStartAt: null };
    const alert = await send('POST', '/alerts', both);
    const path = `/alerts/${alert.id}`;
    for (const body of [both, one, both]) {
      const updated = await send('PUT', path, body);
      const expected = 'channels' in body ? channels : channels.slice(0, 1);
      expect(updated).toMatchObject({ channel: channels[0], channels: expected, tags: body.tags });
      expect(await send('GET', path)).toEqual(updated);
      for (const absent of ['dashboardId', 'tileId', 'groupBy', 'thresholdMax'])
        expect(updated).not.toHaveProperty(absent);
    }
    await send('DELETE', path);
    await send('DELETE', `/saved-searches/${saved.id}`);
    for (const { id } of [first, second]) await send('DELETE', `/webhooks/${id}`);
  });
});

describe('the provider’s cloud client reads a pipe', () => {
  const headers = { 'user-agent': 'terraform-provider-clickhouse/3.25.0 Commit/none', 'accept-encoding': 'gzip' };

  it('success is exactly 200; ids are UUIDs, moments RFC 3339', async () => {
    const answer = await world.managed(headers, '').send('GET', `/clickpipes/${ids.pipe}`);
    expect(answer.status, answer.text).toBe(200);
    const moment = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/);
    const expected = { id: ids.pipe, serviceId: ids.service, createdAt: moment, updatedAt: moment, state: 'Running' };
    expect(answer.json.result).toMatchObject(expected);
    // Decoded as "not set": an empty table definition would be read as a difference.
    expect(answer.json.result.destination).not.toHaveProperty('tableDefinition');
    expect(Object.keys(answer.json.result.source)).toEqual(['kafka']);
  });

  it('a pipe that is gone begins with 404', async () => {
    const answer = await world.managed(headers, '').send('GET', '/clickpipes/99999999-9999-4999-8999-999999999999');
    expect([answer.status, answer.json]).toEqual([404, { error: expect.stringMatching(/^NOT_FOUND: /), status: 404 }]);
  });
});

describe('waiting for the rate limit', () => {
  it('429 gives whole seconds in both headers that the provider’s clients read', async () => {
    const limited = await ClientWorld.open({ rateLimit: { requests: 1, windowMs: 10_000 } });
    try {
      const client = limited.managed(goHeaders);
      await client.send('GET', '/sources');
      const refused = await client.send('GET', '/sources');
      expect(refused.status).toBe(429);
      for (const name of ['retry-after', 'x-ratelimit-reset']) expect(refused.headers[name]).toBe('10');
      await limited.world.clock.advance(10_000);
      expect((await client.send('GET', '/sources')).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});

interface WireDashboard {
  id: string;
  name: string;
  tags: string[];
  tiles: { id: string; name: string }[];
  filters: { id: string }[];
}

function withoutIds({ id: _, tiles, filters, ...rest }: WireDashboard): object {
  const bare = ({ id: _id, ...fields }: { id: string }) => fields;
  return { ...rest, tiles: tiles.map(bare), filters: filters.map(bare) };
}
