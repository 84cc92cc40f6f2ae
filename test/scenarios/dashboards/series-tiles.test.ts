import { describe, expect, it } from 'vitest';
import { logSource, metricSource } from '../../../src/resources/dashboards/testing.ts';
import { DashboardApi, flavours } from './dashboard-api.ts';

const minimal = { sourceId: logSource, aggFn: 'count', where: '', groupBy: [] };

describe.each(flavours)('ChartSeries (seed §Resources and their fields), %s', (flavour) => {
  async function roundTrip(series: object[], tile: object = {}): Promise<unknown> {
    const api = new DashboardApi(flavour);
    const created = await api.create({ name: 'd', tiles: [{ ...tile, series }] });
    expect(await api.get(created.id)).toEqual(created);
    return created.tiles[0]?.series;
  }

  async function rejection(series: object): Promise<string> {
    const api = new DashboardApi(flavour);
    const answer = await api.tryCreate({ name: 'd', tiles: [{ series: [series] }] });
    expect(answer.status).toBe(api.invalidStatus);
    expect(api.dashboards.writes).toBe(0);
    return api.errorText(answer);
  }

  it.each(['sourceId', 'aggFn', 'where', 'groupBy'])('seed: required field %s', async (field) => {
    const { [field]: _left, ...rest } = minimal as Record<string, unknown>;
    expect(await rejection(rest)).toContain(`tiles.0.series.0.${field}: is required`);
    expect(await rejection({ ...rest, type: 'time' })).toContain(`tiles.0.series.0.${field}: is required`);
    expect(await rejection({ ...rest, type: 'table' })).toContain(`tiles.0.series.0.${field}: is required`);
    expect(await rejection({ ...rest, type: 'histogram' })).toContain(`tiles.0.series.0.${field}: is required`);
  });

  it.each(['avg', 'count', 'count_distinct', 'last_value', 'max', 'min', 'quantile', 'sum'])(
    'seed: aggFn %s',
    async (aggFn) => {
      expect(await roundTrip([{ ...minimal, aggFn }])).toEqual([{ ...minimal, aggFn }]);
    },
  );

  it.each([
    ['dataSource', ['events', 'metrics']],
    ['metricDataType', ['sum', 'gauge', 'histogram']],
    ['type', ['time', 'table', 'number', 'histogram', 'search', 'markdown']],
    ['whereLanguage', ['lucene', 'sql']],
    ['field', ['Duration', '']],
    ['metricName', ['http.server.duration']],
  ])('seed: %s takes %j and comes back as written', async (field, values) => {
    for (const value of values) {
      const series = { ...minimal, [field]: value };
      expect(await roundTrip([series])).toEqual([series]);
    }
    expect(await rejection({ ...minimal, [field]: 7 })).toContain(`tiles.0.series.0.${field}: must be`);
  });

  it.each(['dataSource', 'metricDataType', 'type', 'whereLanguage', 'aggFn'])(
    'seed: %s takes no other value, and the message names the allowed ones',
    async (field) => {
      expect(await rejection({ ...minimal, [field]: 'nonsense' })).toMatch(
        new RegExp(`tiles\\.0\\.series\\.0\\.${field}: must be one of \\w+, \\w+`),
      );
    },
  );

  it('decisions D5: a missing type means time and stays missing', async () => {
    expect(await roundTrip([minimal])).toEqual([minimal]);
  });

  it('seed: groupBy may be empty, and its order is kept', async () => {
    expect(await roundTrip([{ ...minimal, groupBy: ['b', 'a'] }])).toEqual([{ ...minimal, groupBy: ['b', 'a'] }]);
  });

  it('contract §2.1: every field of every series type survives', async () => {
    const full = {
      ...minimal,
      sourceId: metricSource,
      aggFn: 'quantile',
      level: 0,
      field: 'Value',
      alias: 'p0',
      whereLanguage: 'sql',
      metricName: 'm',
      metricDataType: 'exponential histogram',
      numberFormat: { output: 'percent', mantissa: 2, own: { kept: true } },
    };
    for (const extra of [
      { type: 'time', displayType: 'stacked_bar' },
      { type: 'table', sortOrder: 'desc' },
      { type: 'number' },
    ]) {
      expect(await roundTrip([{ ...full, ...extra }])).toEqual([{ ...full, ...extra }]);
    }
  });

  it('contract §2.1: current clients leave out what search, markdown and number do not use', async () => {
    const { groupBy: _groups, ...number } = minimal;
    for (const series of [
      { type: 'number', ...number },
      { type: 'search', sourceId: logSource, fields: ['Body'], where: '' },
      { type: 'markdown', content: '# hi' },
    ]) {
      expect(await roundTrip([series])).toEqual([series]);
    }
  });

  it('decisions F8: unknown keys inside tiles and series are kept verbatim', async () => {
    const api = new DashboardApi(flavour);
    const text = `{"name":"d","own":1,"tiles":[{"__proto__":{"a":1},"t":[null,{"x":0.1}],"series":[${JSON.stringify({ ...minimal, own: { deep: [1e21, ''] } })}]}]}`;
    const created = api.unwrap(await api.send('POST', '/dashboards', { text })) as { id: string };
    const stored = (await api.send('GET', `/dashboards/${created.id}`)).body;
    expect(stored).toContain('"__proto__":{"a":1},"t":[null,{"x":0.1}]');
    expect(stored).toContain('"own":{"deep":[1e+21,""]}');
    expect(stored).not.toContain('"own":1');
  });

  it('series and their order stay; asRatio comes back only if it was sent', async () => {
    const series = [
      { ...minimal, aggFn: 'max', field: 'a' },
      { ...minimal, aggFn: 'min', field: 'a' },
    ];
    expect(await roundTrip(series, { asRatio: true })).toEqual(series);
    const api = new DashboardApi(flavour);
    const { tiles } = await api.create({ name: 'd', tiles: [{ series }, { series, asRatio: false }] });
    expect(tiles.map((tile) => 'asRatio' in tile)).toEqual([false, true]);
  });
});

describe.each(flavours)('Tile (seed: all fields are optional in the schema), %s', (flavour) => {
  it('an empty tile is legal', async () => {
    const api = new DashboardApi(flavour);
    const { tiles } = await api.create({ name: 'd', tiles: [{}] });
    expect(tiles).toEqual([{ id: expect.any(String), x: 0, y: 0, w: 8, h: 10 }]);
  });

  it('decisions D7: an omitted place is below the last tile, 8 wide and 10 high', async () => {
    const api = new DashboardApi(flavour);
    const { tiles } = await api.create({ name: 'd', tiles: [{ x: 4, y: 2, w: 20, h: 3 }, {}, { h: 2 }, { w: 24 }] });
    expect(tiles.map(({ x, y, w, h }) => [x, y, w, h])).toEqual([
      [4, 2, 20, 3],
      [0, 5, 8, 10],
      [0, 15, 8, 2],
      [0, 17, 24, 10],
    ]);
  });
});
