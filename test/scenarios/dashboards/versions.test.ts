import { describe, expect, it } from 'vitest';
import { serviceId } from '../../../src/http/testing.ts';
import { logSource } from '../../../src/resources/dashboards/testing.ts';
import { DashboardApi, flavours, missingId } from './dashboard-api.ts';

const series = { sourceId: logSource, aggFn: 'count', where: '', groupBy: [] };
const tile = (name: string) => ({ name, series: [series] });

interface Version {
  version: number;
  savedAt: string;
  by: string;
  summary: string;
}

describe.each(flavours)('versions of dashboards, %s', (flavour) => {
  const world = async () => {
    const api = new DashboardApi(flavour);
    const first = await api.create({ name: 'd', tags: ['a'], tiles: [tile('one'), tile('two')] });
    const versions = async () => api.unwrap(await api.send('GET', `/dashboards/${first.id}/versions`)) as Version[];
    const restore = (version: number | string, headers: Record<string, string> = {}) =>
      api.send('POST', `/dashboards/${first.id}/versions/${version}/restore`, { headers });
    return { api, first, versions, restore };
  };

  it('U-17: after three PUTs version 1 is restored with its tile ids, and the log has who, when and what', async () => {
    const { api, first, versions, restore } = await world();
    await api.put(first.id, { name: 'e' });
    await api.put(first.id, { tiles: [{ ...first.tiles[0] }, tile('three')] });
    await api.put(first.id, { tags: [] });
    // Nothing changes: no version.
    await api.put(first.id, { tags: [] });
    const restored = await restore(1);
    expect(restored.status).toBe(200);
    expect(api.unwrap(restored)).toEqual(first);
    expect(restored.headers.etag).toBe('"5"');
    expect(JSON.stringify(await api.get(first.id))).toBe(JSON.stringify(first));
    const log = await versions();
    expect(log.map(({ version, summary }) => `${version} ${summary}`)).toEqual([
      '5 Version 1 restored',
      '4 Tags changed',
      '3 “three” added; “two” removed',
      '2 Renamed from “d”',
      '1 Created',
    ]);
    for (const { by, savedAt } of log) {
      expect(by).toMatch(/./);
      expect(Date.parse(savedAt)).toBeGreaterThan(Date.UTC(2026, 0, 1) - 1);
    }
    // To restore what is stored already changes nothing.
    expect((await restore(5)).headers.etag).toBe('"5"');
    expect(await versions()).toHaveLength(5);
  });

  it('a version is read with its content and with the alerts that restoring it would delete', async () => {
    const { api, first, restore } = await world();
    const { tiles } = await api.put(first.id, { tiles: [...first.tiles, tile('three')] });
    const [, , third] = tiles;
    const alert = { id: 'alert', tenantId: serviceId, dashboardId: first.id, tileId: third?.id ?? '' };
    api.dashboards.alerts.push(alert);
    const past = api.unwrap(await api.send('GET', `/dashboards/${first.id}/versions/1`));
    expect(past).toMatchObject({ version: 1, dashboard: first, deletedAlerts: ['alert'] });
    expect((await restore(1)).json).toMatchObject({ meta: { deletedAlerts: ['alert'] } });
    expect(api.dashboards.alerts).toEqual([]);
  });

  it('decisions D8: a restore is compared and set as any save', async () => {
    const { api, first, versions, restore } = await world();
    await api.put(first.id, { name: 'e' });
    expect((await restore(1, { 'if-match': '"1"' })).status).toBe(412);
    expect(await versions()).toHaveLength(2);
    expect((await restore(1, { 'if-match': '"2"' })).status).toBe(200);
  });

  it.each(['0', '2', '-1', '1.5', 'one', '99999999999999999999'])(
    'version %s, which is not there, is 404',
    async (version) => {
      const { api, first, restore } = await world();
      const answer = await restore(version);
      expect([answer.status, api.errorText(answer)]).toEqual([404, expect.stringContaining('This version')]);
      expect((await api.send('GET', `/dashboards/${first.id}/versions/${version}`)).status).toBe(404);
    },
  );

  it('of a dashboard that does not exist there are none', async () => {
    const { api } = await world();
    for (const path of ['versions', 'versions/1']) {
      const answer = await api.send('GET', `/dashboards/${missingId}/${path}`);
      expect([answer.status, api.errorText(answer)], path).toEqual([
        404,
        expect.stringContaining('Dashboard not found'),
      ]);
    }
    expect((await api.send('POST', `/dashboards/${missingId}/versions/1/restore`)).status).toBe(404);
  });
});

describe.each(flavours)('deleted dashboards, %s', (flavour) => {
  const listed = async (api: DashboardApi) => api.unwrap(await api.send('GET', '/deleted-dashboards')) as object[];

  it('are listed for 30 days and come back with their id, their versions and their alerts', async () => {
    const api = new DashboardApi(flavour);
    const first = await api.create({ name: 'd', tiles: [tile('one')] });
    await api.put(first.id, { name: 'e' });
    const alert = { id: 'alert', tenantId: serviceId, dashboardId: first.id, tileId: first.tiles[0]?.id ?? '' };
    api.dashboards.alerts.push(alert);
    expect((await api.send('DELETE', `/dashboards/${first.id}`)).status).toBe(200);
    expect(api.dashboards.alerts).toEqual([]);
    const [entry] = (await listed(api)) as { deletedAt: string; keptUntil: string }[];
    expect(entry).toMatchObject({ id: first.id, name: 'e', alertCount: 1, by: expect.stringMatching(/./) });
    expect(Date.parse(entry?.keptUntil ?? '') - Date.parse(entry?.deletedAt ?? '')).toBe(30 * 86_400_000);

    const restored = await api.send('POST', `/deleted-dashboards/${first.id}/restore`);
    expect(restored.json).toMatchObject({ meta: { restoredAlerts: ['alert'] } });
    expect(api.unwrap(restored)).toEqual({ ...first, name: 'e' });
    expect(restored.headers.etag).toBe('"2"');
    expect(api.dashboards.alerts).toEqual([alert]);
    expect(await listed(api)).toEqual([]);
    expect(api.unwrap(await api.send('GET', `/dashboards/${first.id}/versions`))).toHaveLength(2);
    expect((await api.send('POST', `/deleted-dashboards/${first.id}/restore`)).status).toBe(404);
  });

  it('are paged', async () => {
    const api = new DashboardApi(flavour);
    for (const name of ['a', 'b', 'c']) {
      await api.send('DELETE', `/dashboards/${(await api.create({ name })).id}`);
    }
    const page = await api.send('GET', '/deleted-dashboards?limit=1&offset=1');
    expect(api.unwrap(page)).toEqual([expect.objectContaining({ name: 'b' })]);
    expect(page.headers['x-total-count']).toBe('3');
    expect((await api.send('GET', '/deleted-dashboards?limit=0')).status).toBe(400);
  });
});
