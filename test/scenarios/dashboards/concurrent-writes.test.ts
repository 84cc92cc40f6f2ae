import { describe, expect, it } from 'vitest';
import { DashboardApi, flavours } from './dashboard-api.ts';

describe.each(flavours)('optimistic concurrency (decisions D8), %s', (flavour) => {
  it('GET, PUT and POST of one dashboard return a strong ETag; an unchanged PUT keeps it', async () => {
    const api = new DashboardApi(flavour);
    const created = await api.tryCreate({ name: 'd' });
    const { id } = api.unwrap(created) as { id: string };
    const etag = created.headers.etag;
    expect(etag).toMatch(/^"[^"]+"$/);
    expect((await api.send('GET', `/dashboards/${id}`)).headers.etag).toBe(etag);
    expect((await api.tryPut(id, { name: 'd' })).headers.etag).toBe(etag);
    expect((await api.tryPut(id, { name: 'e' })).headers.etag).not.toBe(etag);
  });

  it('a stale If-Match on PUT or DELETE is 412 and writes nothing (U-11)', async () => {
    const api = new DashboardApi(flavour);
    const created = await api.tryCreate({ name: 'd' });
    const { id } = api.unwrap(created) as { id: string };
    const stale = { 'if-match': String(created.headers.etag) };
    expect((await api.tryPut(id, { name: 'first' }, stale)).status).toBe(200);
    const before = api.stored();
    expect((await api.tryPut(id, { name: 'second' }, stale)).status).toBe(412);
    expect((await api.send('DELETE', `/dashboards/${id}`, { headers: stale })).status).toBe(412);
    expect(api.stored()).toEqual(before);
    expect((await api.tryPut(id, { name: 'third' })).status).toBe(200);
    expect((await api.tryPut(id, { name: 'fourth' }, { 'if-match': '*' })).status).toBe(200);
  });

  it('a weak tag never matches; one of several may', async () => {
    const api = new DashboardApi(flavour);
    const created = await api.tryCreate({ name: 'd' });
    const { id } = api.unwrap(created) as { id: string };
    expect((await api.tryPut(id, { name: 'x' }, { 'if-match': `W/${created.headers.etag}` })).status).toBe(412);
    expect((await api.tryPut(id, { name: 'x' }, { 'if-match': `"no", ${created.headers.etag}` })).status).toBe(200);
  });

  it('20 concurrent PUTs without If-Match all succeed, and one body wins, whole (U-12)', async () => {
    const api = new DashboardApi(flavour);
    const { id } = await api.create({ name: 'd' });
    const bodies = Array.from({ length: 20 }, (_, k) => ({
      name: `${k}`,
      tiles: Array.from({ length: k + 1 }, () => ({ name: `${k}` })),
    }));
    const answers = await Promise.all(bodies.map((body) => api.tryPut(id, body)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
    const { name, tiles } = await api.get(id);
    expect(tiles.map((tile) => tile.name)).toEqual(Array(Number(name) + 1).fill(name));
  });
});
