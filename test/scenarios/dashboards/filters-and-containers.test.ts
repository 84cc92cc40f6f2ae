import { describe, expect, it } from 'vitest';
import { logSource } from '../../../src/resources/dashboards/testing.ts';
import { DashboardApi, flavours, hex24, missingId } from './dashboard-api.ts';

const filter = { type: 'QUERY_EXPRESSION', name: 'Service', expression: 'ServiceName', sourceId: logSource };
const variable = { ...filter, isVariableEnabled: true };

describe.each(flavours)('filters of dashboards (contract §2.4), %s', (flavour) => {
  it.each([
    ['plain', [filter]],
    ['variable only', [{ ...variable, isBroadcastEnabled: false, variableName: 'svc' }]],
    ['applied to sources', [{ ...filter, appliesToSourceIds: [logSource], where: 'a', whereLanguage: 'sql' }]],
    ['not broadcast, empty list', [{ ...variable, isBroadcastEnabled: false, appliesToSourceIds: [] }]],
    ['same names without variables', [filter, filter]],
    ['explicit name rescues', [{ ...variable, name: '!!!', variableName: 'x' }]],
  ])('accepts %s and gives ids', async (_title, filters) => {
    const api = new DashboardApi(flavour);
    const created = await api.create({ name: 'd', filters });
    expect(created.filters).toEqual(filters.map((one) => ({ ...one, id: expect.stringMatching(hex24) })));
    expect(await api.put(created.id, await api.get(created.id))).toEqual(created);
  });

  it.each([
    ['an id on create', [{ ...filter, id: missingId }], 'filters.0.id: must not be sent'],
    ['an unknown source', [{ ...filter, sourceId: missingId }], 'filters.0.sourceId: there is no source'],
    ['both modes off', [{ ...filter, isBroadcastEnabled: false }], 'filters.0.isBroadcastEnabled'],
    ['a name without variable mode', [{ ...filter, variableName: 'x' }], 'filters.0.variableName: needs'],
    [
      'sources without broadcast',
      [{ ...variable, isBroadcastEnabled: false, appliesToSourceIds: [logSource] }],
      'needs isBroadcastEnabled',
    ],
    ['a bad name', [{ ...variable, variableName: '1x' }], 'filters.0.variableName: must match'],
    ['a name twice', [variable, variable], 'filters.1.variableName: Service is already'],
    [
      'a name that clashes with a derived one',
      [variable, { ...variable, name: 'o', variableName: 'Service' }],
      'filters.1.variableName',
    ],
    ['a name that derives to nothing', [{ ...variable, name: '!!!' }], 'none can be derived'],
    ['an empty name', [{ ...filter, name: '' }], 'filters.0.name: must not be empty'],
  ])('rejects %s', async (_title, filters, reason) => {
    const api = new DashboardApi(flavour);
    const answer = await api.tryCreate({ name: 'd', filters });
    expect([answer.status, api.errorText(answer)]).toEqual([api.invalidStatus, expect.stringContaining(reason)]);
    expect(api.dashboards.writes).toBe(0);
  });

  it('PUT keeps known ids, makes others, replaces items whole, keeps omitted filters and clears with []', async () => {
    const api = new DashboardApi(flavour);
    const { id, filters = [] } = await api.create({ name: 'd', filters: [{ ...variable, variableName: 'svc' }] });
    const known = filters[0]?.id;
    expect((await api.put(id, { name: 'e' })).filters).toEqual(filters);
    const updated = await api.put(id, {
      filters: [
        { ...filter, id: missingId },
        { ...filter, id: known, own: 1 },
      ],
    });
    expect(updated.filters).toEqual([
      { ...filter, id: expect.stringMatching(hex24) },
      { ...filter, id: known },
    ]);
    expect(updated.filters?.[0]?.id).not.toBe(missingId);
    expect((await api.put(id, { filters: [] })).filters).toEqual([]);
  });
});

describe.each(flavours)('saved query (contract §2.5), %s', (flavour) => {
  it('is stored, cleared with its language, and never has a null language', async () => {
    const api = new DashboardApi(flavour);
    const saved = {
      savedQuery: 'a:b',
      savedQueryLanguage: 'lucene',
      savedFilterValues: [{ type: 'sql', condition: 'x' }],
    };
    const { id } = await api.create({ name: 'd', ...saved });
    expect(await api.get(id)).toMatchObject(saved);
    const answer = await api.tryPut(id, { savedQueryLanguage: null });
    expect([answer.status, api.errorText(answer)]).toEqual([
      api.invalidStatus,
      expect.stringContaining('savedQueryLanguage: must not be null'),
    ]);
    expect(await api.put(id, { savedQuery: null })).toMatchObject({ savedQuery: null, savedQueryLanguage: null });
  });
});

describe.each(flavours)('containers (contract §2.6), %s', (flavour) => {
  const tabs = [{ id: 't', title: 'T' }];
  const container = { id: 'c', title: 'C', collapsed: false, tabs };

  it('are left with null, and can go then', async () => {
    const api = new DashboardApi(flavour);
    const { id, tiles } = await api.create({
      name: 'd',
      containers: [container],
      tiles: [{ containerId: 'c', tabId: 't' }, { containerId: null }],
    });
    expect(tiles.map(({ containerId, tabId }) => [containerId, tabId])).toEqual([
      ['c', 't'],
      [undefined, undefined],
    ]);
    const leaving = tiles.map((tile) => ({ id: tile.id, containerId: null }));
    const after = await api.put(id, { containers: [], tiles: leaving });
    expect(after.tiles.some((tile) => 'containerId' in tile || 'tabId' in tile)).toBe(false);
    expect(await api.get(id)).toEqual(after);
  });

  it('come back whole; the stored ones count where a PUT omits them', async () => {
    const api = new DashboardApi(flavour);
    const place = { x: 0, y: 0, w: 1, h: 1 };
    const tiles = [
      { ...place, containerId: 'c', tabId: 't' },
      { ...place, containerId: 'c' },
    ];
    const created = await api.create({ name: 'd', containers: [container], tiles });
    expect(created.containers).toEqual([container]);
    const updated = await api.put(created.id, { tiles });
    expect(updated.containers).toEqual([container]);
    expect(updated.tiles.map(({ id: _id, ...rest }) => rest)).toEqual(tiles);
  });

  it.each([
    ['an unknown container', { tiles: [{ containerId: 'x' }] }, 'tiles.0.containerId: there is no container "x"'],
    ['an unknown tab', { tiles: [{ containerId: 'c', tabId: 'x' }] }, 'tiles.0.tabId: there is no tab "x"'],
    ['a tab without container', { tiles: [{ tabId: 't' }] }, 'tiles.0.tabId: needs containerId'],
    ['a container twice', { containers: [container, container] }, 'containers.1.id: is used by another'],
    ['a tab twice', { containers: [{ ...container, tabs: [...tabs, ...tabs] }] }, 'containers.0.tabs.1.id'],
    ['an empty id', { containers: [{ ...container, id: '' }] }, 'containers.0.id: must not be empty'],
    ['257 characters', { containers: [{ ...container, id: 'x'.repeat(257) }] }, 'at most 256 characters'],
    ['removal under a tile', { containers: [] }, 'tiles.0.containerId: there is no container "c"'],
  ])('rejects %s on PUT', async (_title, patch, reason) => {
    const api = new DashboardApi(flavour);
    const { id } = await api.create({ name: 'd', containers: [container], tiles: [{ containerId: 'c' }] });
    const before = api.stored();
    const answer = await api.tryPut(id, patch);
    expect([answer.status, api.errorText(answer)]).toEqual([api.invalidStatus, expect.stringContaining(reason)]);
    expect(api.stored()).toEqual(before);
  });
});
