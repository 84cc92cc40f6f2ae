import { describe, expect, it } from 'vitest';
import { logSource } from '../../../src/resources/dashboards/testing.ts';
import { DashboardApi, flavours, hex24, missingId, tileIds } from './dashboard-api.ts';

const series = { sourceId: logSource, aggFn: 'count', where: '', groupBy: [] };

describe.each(flavours)('create, list, get and delete dashboards (seed availability table), %s', (flavour) => {
  it('POST answers 200 with the dashboard; GET answers the same object', async () => {
    const api = new DashboardApi(flavour);
    const created = await api.create({ name: 'd', tags: ['a'], tiles: [{ name: 't', series: [series] }] });
    expect(created).toEqual({
      id: expect.stringMatching(hex24),
      name: 'd',
      tags: ['a'],
      tiles: [{ id: expect.stringMatching(hex24), name: 't', x: 0, y: 0, w: 8, h: 10, series: [series] }],
    });
    expect(await api.get(created.id)).toEqual(created);
  });

  it('decisions D5: POST requires only a name; id, name, tags and tiles are always present', async () => {
    const api = new DashboardApi(flavour);
    expect(await api.create({ name: 'd' })).toEqual({ id: expect.any(String), name: 'd', tags: [], tiles: [] });
    const answer = await api.tryCreate({ tiles: [] });
    expect([answer.status, api.errorText(answer)]).toEqual([
      api.invalidStatus,
      expect.stringContaining('name: is required'),
    ]);
  });

  it('decisions D4: POST ignores the ids of the dashboard and of tiles, repeated ones too', async () => {
    const api = new DashboardApi(flavour);
    const created = await api.create({ id: missingId, name: 'd', tiles: [{ id: missingId }, { id: missingId }] });
    expect(created.id).not.toBe(missingId);
    expect(tileIds(created)).not.toContain(missingId);
    expect(new Set(tileIds(created)).size).toBe(2);
  });

  it('decisions D1: an invalid POST stores nothing', async () => {
    const api = new DashboardApi(flavour);
    const answer = await api.tryCreate({ name: 'd', tiles: [{ series: [{ ...series, sourceId: missingId }] }] });
    expect(answer.status).toBe(api.invalidStatus);
    expect(api.errorText(answer)).toContain(`tiles.0.series.0.sourceId: there is no source "${missingId}"`);
    expect(await api.list()).toEqual([]);
    expect(api.dashboards.writes).toBe(0);
  });

  it('decisions D11: lists by creation, with optional limit and offset', async () => {
    const api = new DashboardApi(flavour);
    expect(await api.list()).toEqual([]);
    const made = [await api.create({ name: 'z' }), await api.create({ name: 'a' }), await api.create({ name: 'm' })];
    expect(await api.list()).toEqual(made);
    expect(await api.list('?limit=1&offset=1')).toEqual([made[1]]);
    expect(await api.list('/')).toEqual(made);
    expect((await api.send('GET', '/dashboards?limit=0')).status).toBe(400);
  });

  it('decisions F2: lists only the tenant’s own', async () => {
    const api = new DashboardApi('selfHosted');
    await api.create({ name: 'd' });
    expect((await api.send('GET', '/dashboards', { key: 'other' })).json).toEqual({ data: [] });
  });

  it('DELETE answers 200 and leaves nothing; the second one is 404 (decisions D11)', async () => {
    const api = new DashboardApi(flavour);
    const { id } = await api.create({ name: 'd' });
    const deleted = await api.send('DELETE', `/dashboards/${id}`);
    expect(deleted.json).toEqual(
      flavour === 'selfHosted' ? {} : { requestId: deleted.headers['x-request-id'], status: 200 },
    );
    for (const method of ['GET', 'DELETE'] as const) {
      const answer = await api.send(method, `/dashboards/${id}`);
      expect([answer.status, api.errorText(answer)]).toEqual([404, expect.stringContaining('Dashboard not found')]);
    }
  });

  it('decisions D9: removing a tile or a dashboard removes its alerts and names them', async () => {
    const api = new DashboardApi(flavour);
    const { id, tiles } = await api.create({ name: 'd', tiles: [{ series: [series] }, { series: [series] }] });
    const own = tiles.map((tile, index) => ({
      id: `alert ${index}`,
      tenantId: '22222222-2222-4222-8222-222222222222',
      dashboardId: id,
      tileId: tile.id,
    }));
    const foreign = { id: 'foreign', tenantId: 'other', dashboardId: id, tileId: tiles[0]?.id ?? '' };
    api.dashboards.alerts = [...own, foreign];
    const tile = { id: tiles[1]?.id };
    const changed = await api.send('PUT', `/dashboards/${id}`, { body: { tiles: [tile] } });
    expect(changed.json).toMatchObject({ meta: { deletedAlerts: ['alert 0'] } });
    expect(api.dashboards.alerts).toEqual([own[1], foreign]);
    const unchanged = await api.send('PUT', `/dashboards/${id}`, { body: { name: 'renamed', tiles: [tile] } });
    expect(unchanged.json).not.toHaveProperty('meta');
    const removed = await api.send('DELETE', `/dashboards/${id}`);
    expect(removed.json).toMatchObject({ meta: { deletedAlerts: ['alert 1'] } });
    expect(api.dashboards.alerts).toEqual([foreign]);
  });

  it.each([
    ['a table', { series: [{ ...series, type: 'table' }] }],
    [
      'raw SQL of a pie',
      { config: { displayType: 'pie', configType: 'sql', connectionId: 'c00000000000000000000001', sqlTemplate: 'x' } },
    ],
  ])('contract §2.7: a tile that turns into %s loses its alerts', async (_title, form) => {
    const api = new DashboardApi(flavour);
    const { id, tiles } = await api.create({ name: 'd', tiles: [{ series: [series] }] });
    const tileId = tiles[0]?.id ?? '';
    api.dashboards.alerts = [{ id: 'one', tenantId: '22222222-2222-4222-8222-222222222222', dashboardId: id, tileId }];
    const renamed = { tiles: [{ id: tileId, name: 'renamed', w: 12 }] };
    expect(await announced(api, { id, name: 'd', ...renamed })).toBeUndefined();
    await api.put(id, renamed);
    expect(api.dashboards.alerts).toHaveLength(1);
    const changed = { tiles: [{ id: tileId, ...form }] };
    expect(await announced(api, { id, name: 'd', ...changed })).toEqual(['one']);
    expect(await announced(api, { id, name: 'd', tiles: [] })).toEqual(['one']);
    // Without the id it would be another dashboard, and invalid it would not be written.
    expect(await announced(api, { name: 'd', tiles: [] })).toBeUndefined();
    expect(await announced(api, { id, name: 'd', tiles: [{ name: 'x', w: 'wide' }] })).toBeUndefined();
    expect(api.dashboards.alerts).toHaveLength(1);
    await api.put(id, changed);
    expect(api.dashboards.alerts).toEqual([]);
  });

  /** What `/dashboards/validate` says that PUT would delete. */
  async function announced(api: DashboardApi, body: object): Promise<unknown> {
    const answer = await api.send('POST', '/dashboards/validate', { body });
    const result = flavour === 'selfHosted' ? answer.json : api.unwrap(answer);
    return (result as { deletedAlerts?: string[] }).deletedAlerts;
  }

  it('a reading key reads and checks, but changes nothing', async () => {
    const api = new DashboardApi(flavour);
    const { id } = await api.create({ name: 'd' });
    const status = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
      (await api.send(method, path, { key: 'reader', ...(body && { body }) })).status;
    expect(await status('GET', '/dashboards')).toBe(200);
    expect(await status('POST', '/dashboards/validate', { name: 'x' })).toBe(200);
    expect(await status('POST', '/dashboards', { name: 'x' })).toBe(403);
    expect(await status('PUT', `/dashboards/${id}`, { name: 'x' })).toBe(403);
    expect(await status('DELETE', `/dashboards/${id}`)).toBe(403);
    expect(api.dashboards.writes).toBe(1);
  });
});

describe.each(flavours)('POST /dashboards/validate (decisions D10), %s', (flavour) => {
  async function resultOf(api: DashboardApi, body: unknown): Promise<unknown> {
    const answer = await api.send('POST', '/dashboards/validate', { body });
    expect(answer.status).toBe(200);
    // Self-hosted answers without an envelope.
    return flavour === 'selfHosted' ? answer.json : api.unwrap(answer);
  }

  it('answers what would be stored, ids aside, and stores nothing', async () => {
    const api = new DashboardApi(flavour);
    expect(await resultOf(api, { name: 'd', extra: 1, tiles: [{ name: 't' }] })).toEqual({
      valid: true,
      errors: [],
      normalized: { name: 'd', tags: [], tiles: [{ name: 't', x: 0, y: 0, w: 8, h: 10 }] },
    });
    expect(api.dashboards.writes).toBe(0);
  });

  it('answers 200 with paths and reasons for schema and references alike', async () => {
    const api = new DashboardApi(flavour);
    expect(await resultOf(api, { name: '', tiles: [{ series: [{ ...series, aggFn: 'x' }] }] })).toMatchObject({
      valid: false,
      errors: [
        { path: 'name', message: 'must not be empty' },
        { path: 'tiles.0.series.0.aggFn', message: expect.stringContaining('must be one of') },
      ],
      normalized: null,
    });
    expect(await resultOf(api, { name: 'd', tiles: [{ series: [{ ...series, sourceId: 'nope' }] }] })).toEqual({
      valid: false,
      errors: [{ path: 'tiles.0.series.0.sourceId', message: 'there is no source "nope"' }],
      normalized: null,
    });
    expect(await resultOf(api, [])).toMatchObject({
      valid: false,
      errors: [{ path: '', message: 'must be an object' }],
    });
  });
});
