import { describe, expect, it } from 'vitest';
import { logSource, metricSource } from '../../../src/resources/dashboards/testing.ts';
import { DashboardApi, flavours, missingId, tileIds, withoutIds } from './dashboard-api.ts';

const count = { sourceId: logSource, aggFn: 'count', where: '', groupBy: [] };

describe.each(flavours)('what users of such systems report (U-nn), %s', (flavour) => {
  it('U-01: what GET returns can be PUT back, for each kind of data and each type', async () => {
    const api = new DashboardApi(flavour);
    const kinds = [
      count,
      ...['sum', 'gauge', 'histogram'].map((metricDataType) => ({
        ...count,
        sourceId: metricSource,
        aggFn: 'avg',
        metricName: 'm',
        metricDataType,
      })),
    ];
    const tiles = kinds.flatMap((kind) => ['time', 'table', 'number'].map((type) => ({ series: [{ ...kind, type }] })));
    const { id } = await api.create({ name: 'd', tiles });
    const read = await api.get(id);
    await api.put(id, read);
    expect(await api.get(id)).toEqual(read);
  });

  it('U-02: empty, null and missing stay what they were', async () => {
    const api = new DashboardApi(flavour);
    const { id } = await api.create({ name: 'd', tags: ['x'], tiles: [{ name: '0', series: [count] }] });
    const updated = await api.put(id, { tags: [] });
    expect(updated.tags).toEqual([]);
    expect(updated.tiles[0]).toMatchObject({ name: '0' });
    expect(updated.tiles[0]?.series).toEqual([count]);
  });

  it('U-03: tiles, tags and series keep the order of the request', async () => {
    const api = new DashboardApi(flavour);
    const place = { x: 0, y: 0, w: 8, h: 10 };
    const series = ['max', 'min'].map((aggFn) => ({ ...count, aggFn, field: 'a' }));
    const tiles = ['z', 'a', 'm'].map((name) => ({ ...place, name, series }));
    const body = { name: 'd', tags: ['b', 'a', 'b2'], tiles };
    expect(withoutIds(await api.create(body))).toEqual(body);
  });

  it('U-04, U-08: the original body plus the returned ids is idempotent', async () => {
    const api = new DashboardApi(flavour);
    const created = await api.create({ name: 'd', tiles: [{ name: 't', series: [count] }, { name: 'u' }] });
    const [first, second] = tileIds(created);
    const body = {
      name: 'd',
      tiles: [
        { id: first, name: 't', series: [count] },
        { id: second, name: 'u' },
      ],
    };
    expect(await api.put(created.id, body)).toEqual(created);
    expect(await api.put(created.id, body)).toEqual(created);
  });

  it('U-06: an exported dashboard without its ids can be imported; an unknown source is named with its tile', async () => {
    const api = new DashboardApi(flavour);
    const exported = withoutIds(await api.create({ name: 'd', tiles: [{ name: 'errors', series: [count] }] }));
    const imported = await api.create(exported);
    expect(withoutIds(imported)).toEqual(exported);
    const elsewhere = JSON.parse(JSON.stringify(exported).replaceAll(logSource, '0'.repeat(24)));
    const answer = await api.tryCreate(elsewhere);
    expect(api.errorText(answer)).toContain(`tiles.0.series.0.sourceId: there is no source "${'0'.repeat(24)}"`);
    expect(await api.list()).toHaveLength(2);
  });

  it('U-07: a tile keeps its id and its alert through rename, move and a new query', async () => {
    const api = new DashboardApi(flavour);
    const { id, tiles } = await api.create({ name: 'd', tiles: [{ name: 'a', series: [count] }] });
    const alert = {
      id: 'one',
      tenantId: '22222222-2222-4222-8222-222222222222',
      dashboardId: id,
      tileId: tiles[0]?.id ?? '',
    };
    api.dashboards.alerts = [alert];
    const changed = { ...count, where: 'level:error' };
    const updated = await api.put(id, { tiles: [{ id: alert.tileId, name: 'renamed', x: 6, series: [changed] }] });
    expect(tileIds(updated)).toEqual([alert.tileId]);
    expect(api.dashboards.alerts).toEqual([alert]);
  });

  it('U-13: what is not there is 404, whatever the id looks like', async () => {
    const api = new DashboardApi(flavour);
    for (const id of [missingId, 'not-an-id', "'; drop table x; --", '%00', '💥'].map(encodeURIComponent)) {
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        const answer = await api.send(method, `/dashboards/${id}`, method === 'PUT' ? { body: { name: 'x' } } : {});
        expect([answer.status, api.errorText(answer)]).toEqual([404, expect.stringContaining('Dashboard not found')]);
      }
    }
  });

  it('U-14: the message names every failing path and the allowed values', async () => {
    const api = new DashboardApi(flavour);
    const { id } = await api.create({ name: 'd' });
    const { where: _left, ...incomplete } = count;
    const tiles = [{}, { series: [{ ...count, aggFn: 'median' }] }, {}, { series: [incomplete] }];
    const answer = await api.tryPut(id, { tiles });
    expect(answer.status).toBe(api.invalidStatus);
    expect(api.errorText(answer)).toMatch(
      /tiles\.1\.series\.0\.aggFn: must be one of avg, count.*tiles\.3\.series\.0\.where: is required/,
    );
  });

  it('U-15: a body that is no object is rejected with a reason, a broken one with 400', async () => {
    const api = new DashboardApi(flavour);
    const { id } = await api.create({ name: 'd' });
    for (const text of ['[]', 'null', '"x"']) {
      const answer = await api.send('PUT', `/dashboards/${id}`, { text });
      expect([answer.status, api.errorText(answer)]).toEqual([
        api.invalidStatus,
        expect.stringContaining('must be an object'),
      ]);
    }
    expect((await api.send('PUT', `/dashboards/${id}`, { text: '{"name":"x",}' })).status).toBe(400);
  });

  it('U-18: one broken stored dashboard does not hide the others, and stays as it is', async () => {
    const api = new DashboardApi(flavour);
    const good = await api.create({ name: 'good' });
    const tenantId = '22222222-2222-4222-8222-222222222222';
    const json = `{"id":"${missingId}","name":"old","tags":[],"tiles":[{"id":"","config":{"displayType":"promql"}}]}`;
    api.dashboards.rows.set(missingId, {
      tenantId,
      json,
      version: 3,
      change: { atMs: 0, by: 'u', summary: 'Created' },
    });
    expect(await api.list()).toEqual([good, JSON.parse(json)]);
    expect(api.dashboards.rows.get(missingId)?.json).toBe(json);
  });

  it('U-19: a typo in a required property is not ignored; an unknown top-level key is dropped alike on POST and PUT', async () => {
    const api = new DashboardApi(flavour);
    const { aggFn: _left, ...rest } = count;
    const answer = await api.tryCreate({ name: 'd', tiles: [{ series: [{ ...rest, agFn: 'count' }] }] });
    expect(api.errorText(answer)).toContain('tiles.0.series.0.aggFn: is required');
    const created = await api.create({ name: 'd', foo: 1 });
    expect(created).not.toHaveProperty('foo');
    expect(await api.put(created.id, { foo: 1 })).toEqual(created);
  });

  it('U-92: a dashboard whose source was removed can still be edited, but not pointed at it anew', async () => {
    const api = new DashboardApi(flavour);
    const created = await api.create({ name: 'd', tiles: [{ series: [count] }] });
    const row = api.dashboards.rows.get(created.id);
    if (!row) throw new Error('the dashboard is not stored');
    row.json = row.json.replaceAll(logSource, missingId);
    const read = await api.get(created.id);
    const answer = await api.send('POST', '/dashboards/validate', { body: read });
    expect(flavour === 'selfHosted' ? answer.json : api.unwrap(answer)).toMatchObject({ valid: true });
    expect(await api.put(created.id, { ...read, name: 'renamed' })).toEqual({ ...read, name: 'renamed' });
    const other = await api.create({ name: 'o' });
    expect((await api.tryPut(other.id, { tiles: read.tiles })).status).toBe(api.invalidStatus);
  });
});
