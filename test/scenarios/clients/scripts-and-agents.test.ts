import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queryResult } from '../../../src/telemetry/testing.ts';
import type { RawClient } from '../../support/raw-http.ts';
import { ClientWorld, curlHeaders, goHeaders } from './client-world.ts';

let world: ClientWorld;
beforeAll(async () => {
  world = await ClientWorld.open();
});
afterAll(() => world?.close());

const nowMs = Date.UTC(2026, 0, 1);

/** curl in fail mode: whatever is 400 or more ends the script. */
async function succeed(client: RawClient, ...[method, path, text]: [method: string, path: string, text?: string]) {
  const answer = await client.send(method, path, text);
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.json;
}

describe('import scripts (bash, curl, jq; self-hosted)', () => {
  const client = () => world.selfHosted({ ...curlHeaders, 'content-type': 'application/json' });
  const template = (source: string) => ({
    name: 'Service overview',
    tags: ['tmpl:service-overview', 'imported'],
    tiles: [
      { name: 'Notes', x: 0, y: 0, w: 24, h: 3, config: { displayType: 'markdown', markdown: '## Notes' } },
      {
        ...{ name: 'Requests', x: 0, y: 3, w: 12, h: 6 },
        config: { displayType: 'line', sourceId: source, select: [{ aggFn: 'count', valueExpression: '', where: '' }] },
      },
    ],
    filters: [{ type: 'QUERY_EXPRESSION', name: 'Service', expression: 'ServiceName', sourceId: source }],
  });

  it('finds a source per kind with its connection and tables', async () => {
    const { data } = await succeed(client(), 'GET', '/sources');
    for (const kind of ['log', 'trace', 'metric']) {
      const first = data.find((source: { kind: string }) => source.kind === kind);
      expect(first).toMatchObject({ id: expect.any(String), connection: expect.any(String) });
      expect(first.from).toMatchObject({ databaseName: 'otel', tableName: expect.any(String) });
    }
  });

  it('imports twice: created first, then found by its tag and replaced, filter ids of any form', async () => {
    const { log } = await world.known('selfHosted');
    const mine = async () => {
      const { data } = await succeed(client(), 'GET', '/dashboards');
      return data.filter(({ tags }: { tags: string[] }) => tags.includes('tmpl:service-overview'));
    };
    expect(await mine()).toEqual([]);
    const created = await succeed(client(), 'POST', '/dashboards', JSON.stringify(template(log)));
    expect(await mine()).toMatchObject([{ id: created.data.id }]);
    const body = template(log);
    const withIds = { ...body, filters: body.filters.map((filter, index) => ({ ...filter, id: `f-${index}` })) };
    const updated = await succeed(client(), 'PUT', `/dashboards/${created.data.id}`, JSON.stringify(withIds));
    expect(updated.data.id).toBe(created.data.id);
    expect(await mine()).toHaveLength(1);
    expect(await succeed(client(), 'DELETE', `/dashboards/${created.data.id}`)).toEqual({});
  });

  it('imports alerts: upsert by source, dashboard and tile, with the seed’s body exactly', async () => {
    const { log } = await world.known('selfHosted');
    const { data: webhooks } = await succeed(client(), 'GET', '/webhooks');
    const webhookId = webhooks[0]._id ?? webhooks[0].id;
    const series = [{ sourceId: log, aggFn: 'count', where: '', groupBy: [] }];
    const board = await succeed(
      client(),
      'POST',
      '/dashboards',
      JSON.stringify({ name: 'x', tiles: [{ name: 'Errors', series }] }),
    );
    const [dashboardId, tileId] = [board.data.id, board.data.tiles[0].id];
    const body = {
      ...{ dashboardId, tileId, threshold: 100, interval: '1h', source: 'tile', thresholdType: 'above' },
      ...{ channel: { type: 'webhook', webhookId }, name: 'Errors', message: 'too many' },
    };
    for (const threshold of [100, 200]) {
      const { data: alerts } = await succeed(client(), 'GET', '/alerts');
      const known = alerts.find(
        (alert: Record<string, string>) =>
          alert.source === 'tile' && alert.dashboardId === dashboardId && alert.tileId === tileId,
      );
      const [method, path] = known ? ['PUT', `/alerts/${known.id}`] : ['POST', '/alerts'];
      await succeed(client(), method ?? '', path ?? '', JSON.stringify({ ...body, threshold }));
    }
    const { data } = await succeed(client(), 'GET', '/alerts');
    expect(data.filter((alert: { tileId: string }) => alert.tileId === tileId)).toMatchObject([
      { ...body, threshold: 200 },
    ]);
  });

  it('asks a chart for data before importing', async () => {
    const { log } = await world.known('selfHosted');
    for (const granularity of ['1d', '1h']) {
      const body = {
        ...{ startTime: nowMs - 86_400_000, endTime: nowMs, granularity, seriesReturnType: 'column' },
        series: [{ sourceId: log, aggFn: 'count', where: '', groupBy: [] }],
      };
      const { data } = await succeed(client(), 'POST', '/charts/series', JSON.stringify(body));
      expect(Array.isArray(data)).toBe(true);
    }
  });
});

describe('an operator that keeps a dashboard and alerts, and reads charts (Go; self-hosted)', () => {
  const client = () => world.selfHosted({ ...goHeaders, 'content-type': 'application/json' });

  it('makes sure of a webhook with a template, by name', async () => {
    const body = {
      ...{ name: 'troubleshooter', service: 'generic', url: 'http://127.0.0.1:9/events' },
      body: '{"title":"{{title}}","body":"{{body}}","link":"{{link}}","state":"{{state}}","from":"{{startTime}}","to":"{{endTime}}","id":"{{eventId}}"}',
    };
    const created = await succeed(client(), 'POST', '/webhooks', JSON.stringify(body));
    const listed = await succeed(client(), 'GET', '/webhooks');
    expect(listed.data.find(({ name }: { name: string }) => name === body.name)).toMatchObject({
      ...body,
      id: created.data.id,
    });
    const replaced = await succeed(
      client(),
      'PUT',
      `/webhooks/${created.data.id}`,
      JSON.stringify({ ...body, description: 'd' }),
    );
    expect(replaced.data).toMatchObject({ ...body, description: 'd' });
  });

  it('names its tile itself on create, and takes the id that it is given', async () => {
    const { log } = await world.known('selfHosted');
    const tile = {
      ...{ id: 'count', name: 'Errors', x: 0, y: 0, w: 12, h: 4 },
      config: { displayType: 'line', sourceId: log, select: [{ aggFn: 'count', valueExpression: '', where: '' }] },
    };
    const created = await succeed(
      client(),
      'POST',
      '/dashboards',
      JSON.stringify({ name: 'ts', tags: [], tiles: [tile] }),
    );
    const { id, tiles } = created.data;
    expect(tiles[0].id).toMatch(/^[0-9a-f]{24}$/);
    const again = { name: 'ts', tags: [], tiles: [{ ...tile, id: tiles[0].id, name: 'Errors by service' }] };
    const updated = await succeed(client(), 'PUT', `/dashboards/${id}`, JSON.stringify(again));
    expect(updated.data).toEqual({ id, ...again });
  });

  it('reads the first series as a number and the first group', async () => {
    const { log } = await world.known('selfHosted');
    world.world.queries.answer = () =>
      queryResult({ ts: [nowMs - 3_600_000], g0: ['checkout'], n0: [7], v0: [7], groups_total: [1] });
    const body = {
      ...{ startTime: nowMs - 3_600_000, endTime: nowMs, granularity: '1h' },
      series: [
        {
          ...{ dataSource: 'events', sourceId: log, aggFn: 'count', groupBy: ["ResourceAttributes['k8s.pod.name']"] },
          ...{ where: "SeverityText = 'error'", whereLanguage: 'sql' },
        },
      ],
    };
    const { data } = await succeed(client(), 'POST', '/charts/series', JSON.stringify(body));
    expect(data).toEqual([{ ts_bucket: nowMs - 3_600_000, group: ['checkout'], 'series_0.data': 7 }]);
  });
});

describe('an agent: get, edit with jq, put the whole object (managed)', () => {
  const client = () => world.managed({ ...curlHeaders, 'content-type': 'application/json' });

  it('PUT takes the keys that the server added and others that it does not know', async () => {
    const { log } = await world.known('managed');
    const tiles = ['a', 'b'].map((name) => ({
      name,
      series: [{ sourceId: log, aggFn: 'count', where: '', groupBy: [] }],
    }));
    const { result: created } = await succeed(
      client(),
      'POST',
      '/dashboards',
      JSON.stringify({ name: 'Agent', tiles }),
    );
    const { result: read } = await succeed(client(), 'GET', `/dashboards/${created.id}`);
    const edited = {
      ...read,
      tiles: [
        ...read.tiles,
        { name: 'c', x: 0, y: 99, w: 24, h: 2, config: { displayType: 'markdown', markdown: 'c' } },
      ],
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
    };
    const { result: updated } = await succeed(client(), 'PUT', `/dashboards/${read.id}`, JSON.stringify(edited));
    expect(updated.tiles.slice(0, 2)).toEqual(read.tiles);
    expect(updated.tiles).toHaveLength(3);
    expect(updated.id).toBe(read.id);
    const emptied = await succeed(client(), 'PUT', `/dashboards/${read.id}`, JSON.stringify({ ...updated, tiles: [] }));
    expect(emptied.result.tiles).toEqual([]);
  });

  it('an id in the body never moves the write to another object', async () => {
    const { result: one } = await succeed(client(), 'POST', '/dashboards', '{"name":"one"}');
    const { result: two } = await succeed(client(), 'POST', '/dashboards', '{"name":"two"}');
    const body = JSON.stringify({ ...two, name: 'changed' });
    expect((await succeed(client(), 'PUT', `/dashboards/${one.id}`, body)).result).toMatchObject({
      id: one.id,
      name: 'changed',
    });
    expect((await succeed(client(), 'GET', `/dashboards/${two.id}`)).result.name).toBe('two');
  });
});
