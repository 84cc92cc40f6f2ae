import { describe, expect, it } from 'vitest';
import { logSource } from '../../../src/resources/dashboards/testing.ts';
import { DashboardApi, flavours, hex24, missingId, tileIds } from './dashboard-api.ts';

const series = { sourceId: logSource, aggFn: 'count', where: '', groupBy: [] };
const place = { x: 0, y: 0, w: 8, h: 10 };

describe.each(flavours)('update dashboard (seed §Endpoints), %s', (flavour) => {
  async function start() {
    const api = new DashboardApi(flavour);
    const dashboard = await api.create({
      name: 'Checkout',
      tags: ['prod'],
      tiles: [{ name: 'a', series: [series] }, { name: 'b' }],
    });
    const [first = '', second = ''] = tileIds(dashboard);
    return { api, dashboard, first, second };
  }

  it('seed: 200 { data: Dashboard }, the dashboard after the update', async () => {
    const { api, dashboard } = await start();
    const answer = await api.tryPut(dashboard.id, { name: 'Checkout 2' });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(api.unwrap(answer)).toEqual({ ...dashboard, name: 'Checkout 2' });
    expect(await api.get(dashboard.id)).toEqual({ ...dashboard, name: 'Checkout 2' });
  });

  it.each(['name', 'tags', 'tiles'])('seed: %s is optional; decisions D3: omitted is unchanged', async (field) => {
    const { api, dashboard } = await start();
    const body: Record<string, unknown> = { name: 'n', tags: ['t'], tiles: [] };
    delete body[field];
    const updated = await api.put(dashboard.id, body);
    expect(updated).toEqual({ ...dashboard, ...body });
  });

  it('decisions D3: an empty body changes nothing and `tiles: []` removes all', async () => {
    const { api, dashboard } = await start();
    expect(await api.put(dashboard.id, {})).toEqual(dashboard);
    expect((await api.put(dashboard.id, { tiles: [] })).tiles).toEqual([]);
  });

  it('seed rule 1: a tile that carries an id updates the tile with that id', async () => {
    const { api, dashboard, first, second } = await start();
    const tiles = [
      { id: second, name: 'B' },
      { id: first, x: 3 },
    ];
    const updated = await api.put(dashboard.id, { tiles });
    expect(updated.tiles).toEqual([
      { ...dashboard.tiles[1], name: 'B' },
      { ...dashboard.tiles[0], x: 3 },
    ]);
  });

  it('seed rule 2: a tile without id is added and the response contains an id for it', async () => {
    const { api, dashboard, first } = await start();
    const updated = await api.put(dashboard.id, { tiles: [{ id: first }, { name: 'new' }, { name: 'newer' }] });
    expect(updated.tiles.map(({ name }) => name)).toEqual(['a', 'new', 'newer']);
    expect(tileIds(updated)[0]).toBe(first);
    expect(new Set(tileIds(updated)).size).toBe(3);
    for (const id of tileIds(updated)) expect(id).toMatch(hex24);
  });

  it('decisions D4: an id unknown to this dashboard, also one of another dashboard, is a new tile', async () => {
    const { api, dashboard, first } = await start();
    const other = await api.create({ name: 'other', tiles: [{ name: 'theirs', w: 3 }] });
    const sent = [
      { id: missingId, ...place },
      { id: tileIds(other)[0], ...place },
      { id: 'x', ...place },
    ];
    const updated = await api.put(dashboard.id, { tiles: sent });
    const ids = tileIds(updated);
    for (const id of ids) expect(id).toMatch(hex24);
    expect(ids).not.toContain(missingId);
    expect(ids).not.toContain(first);
    expect(ids).not.toContain(tileIds(other)[0]);
    expect(updated.tiles.map(({ w }) => w)).toEqual([8, 8, 8]);
    expect(await api.get(other.id)).toEqual(other);
  });

  it('decisions D4: the same id twice is invalid and nothing is written', async () => {
    const { api, dashboard, first } = await start();
    const before = api.stored();
    const answer = await api.tryPut(dashboard.id, { tiles: [{ id: first }, { id: first }] });
    expect(answer.status).toBe(api.invalidStatus);
    expect(api.errorText(answer)).toContain(`tiles.1.id: the id "${first}" is used more than once`);
    expect(api.stored()).toEqual(before);
  });

  it('seed rule 3: an invalid dashboard configuration is answered with status 500, not 400 (managed: 400)', async () => {
    const { api, dashboard } = await start();
    const before = api.stored();
    const answer = await api.tryPut(dashboard.id, { tiles: [{}, { series: [{ ...series, aggFn: 'median' }] }] });
    expect(answer.status).toBe(flavour === 'selfHosted' ? 500 : 400);
    expect(api.errorText(answer)).toContain(
      'Body validation failed: tiles.1.series.0.aggFn: must be one of avg, count',
    );
    expect(api.stored()).toEqual(before);
  });

  it.each([
    ['an empty name', { name: '' }, 'name: must not be empty'],
    ['a name that is no text', { name: 5 }, 'name: must be a string'],
    ['a name of 1025 characters', { name: 'x'.repeat(1025) }, 'name: must have at most 1024 characters'],
    ['tags that are no list', { tags: 'a' }, 'tags: must be an array'],
    ['a tag that is no text', { tags: ['a', 1] }, 'tags.1: must be a string'],
    ['51 tags', { tags: Array(51).fill('a') }, 'tags: must have at most 50 items'],
    ['a tag of 33 characters', { tags: ['x'.repeat(33)] }, 'tags.0: must have at most 32 characters'],
    ['501 tiles', { tiles: Array(501).fill({}) }, 'tiles: must have at most 500 items'],
    ['a tile that is no object', { tiles: [null] }, 'tiles.0: must be an object'],
    ['a fraction in the layout', { tiles: [{ x: 1.5 }] }, 'tiles.0.x: must be an integer'],
    ['a number as text', { tiles: [{ w: '5' }] }, 'tiles.0.w: must be an integer'],
    ['asRatio that is no boolean', { tiles: [{ asRatio: 'yes' }] }, 'tiles.0.asRatio: must be a boolean'],
    ['a negative place', { tiles: [{ y: -1 }] }, 'tiles.0.y: must be at least 0'],
    ['a tile wider than the grid', { tiles: [{ w: 25 }] }, 'tiles.0.w: must be at most 24'],
    ['null in place of tiles', { tiles: null }, 'tiles: must be an array'],
    [
      'both forms',
      { tiles: [{ series: [], config: { displayType: 'markdown' } }] },
      'tiles.0.config: must not be combined',
    ],
    ['asRatio: false beside config', { tiles: [{ asRatio: false, config: { displayType: 'markdown' } }] }, 'one form'],
    [
      'an unknown source',
      { tiles: [{ series: [{ ...series, sourceId: missingId }] }] },
      `there is no source "${missingId}"`,
    ],
    [
      'types mixed in one tile',
      { tiles: [{ series: [series, { ...series, type: 'table' }] }] },
      'tiles.0.series: must all',
    ],
    ['64 kB of unknown keys', { tiles: [{ extra: 'x'.repeat(65_536) }] }, 'tiles.0: must have at most 65536 bytes'],
  ])('rejects %s with path and reason, and writes nothing', async (_title, body, reason) => {
    const { api, dashboard } = await start();
    const before = api.stored();
    const answer = await api.tryPut(dashboard.id, body);
    expect([answer.status, api.errorText(answer)]).toEqual([api.invalidStatus, expect.stringContaining(reason)]);
    expect(api.stored()).toEqual(before);
  });

  it('seed: 401 when the API key is missing or invalid', async () => {
    const { api, dashboard } = await start();
    for (const key of ['none', 'wrong'] as const) {
      const answer = await api.send('PUT', `/dashboards/${dashboard.id}`, { key, body: { name: 'x' } });
      expect(answer.status).toBe(401);
    }
    expect(await api.get(dashboard.id)).toEqual(dashboard);
  });

  it.each([missingId, 'not-an-id', '..', 'x'.repeat(250), `${'F'.repeat(24)}`])(
    'seed: 404 when the dashboard does not exist (%s), before the body is validated (decisions D2)',
    async (id) => {
      const { api } = await start();
      const answer = await api.tryPut(encodeURIComponent(id), { name: 5 });
      expect(answer.status).toBe(404);
      const text = api.errorText(answer);
      expect(text).toMatch(/Dashboard not found|There is no such path/);
    },
  );

  it('decisions F2: a dashboard of another tenant looks like a missing one', async () => {
    const { api, dashboard } = await start();
    const path = `/dashboards/${dashboard.id}`;
    if (flavour === 'managed') return;
    const missing = await api.send('PUT', `/dashboards/${missingId}`, { key: 'other', body: { name: 'x' } });
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const answer = await api.send(method, path, { key: 'other', ...(method === 'PUT' && { body: { name: 'x' } }) });
      expect([answer.status, answer.body]).toEqual([404, missing.body]);
    }
    expect(await api.get(dashboard.id)).toEqual(dashboard);
  });

  it('decisions D1: a body that is not JSON is 400', async () => {
    const { api, dashboard } = await start();
    const answer = await api.send('PUT', `/dashboards/${dashboard.id}`, { text: '{"name":"x",}' });
    expect([answer.status, api.errorText(answer)]).toEqual([400, expect.stringContaining('not valid JSON')]);
  });

  it('the error has exactly the seed’s shape', async () => {
    const { api } = await start();
    const answer = await api.tryPut(missingId, {});
    expect(answer.json).toEqual(
      flavour === 'selfHosted'
        ? { message: 'Dashboard not found' }
        : { error: 'NOT_FOUND: Dashboard not found', status: 404 },
    );
  });

  it('a known tile keeps its place; writing config drops series and the reverse (decisions D4)', async () => {
    const { api, dashboard, first } = await start();
    const config = { displayType: 'markdown', markdown: 'hi' };
    const configured = await api.put(dashboard.id, { tiles: [{ id: first, config }] });
    expect(configured.tiles).toEqual([{ id: first, name: 'a', ...place, config }]);
    const back = await api.put(dashboard.id, { tiles: [{ id: first, series: [series], asRatio: true }] });
    expect(back.tiles).toEqual([{ id: first, name: 'a', ...place, series: [series], asRatio: true }]);
  });
});
