import { beforeAll, describe, expect, it } from 'vitest';
import { chartLimits } from '../../../src/contract/chart.ts';
import type { TileConfig } from '../../../src/contract/tile-config.ts';
import { batchReads } from '../../../src/evaluator/batching.ts';
import type { GroupPart, Reading, TileReader } from '../../../src/evaluator/ports.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import type { TimeRange } from '../../../src/query/chart-query.ts';
import { ChartTilesReader } from '../../../src/resources/alerts/reading/chart-tiles-reader.ts';
import type { WatchedChartsDeps } from '../../../src/resources/alerts/reading/watched-charts.ts';
import { ChartReader } from '../../../src/resources/charts/answer/chart-reader.ts';
import { UnseenAttributes } from '../../../src/resources/charts/reading/unseen-attributes.ts';
import type { Dashboard } from '../../../src/resources/dashboards/dashboard.ts';
import { FakeSavedSearchRepository } from '../../../src/resources/saved-searches/fake-saved-search-repository.ts';
import type { SavedSearch } from '../../../src/resources/saved-searches/saved-search-repository.ts';
import { SavedSearchSamples } from '../../../src/resources/search/saved-search-samples.ts';
import { SearchService } from '../../../src/resources/search/search-service.ts';
import { ChartApi, limits, minuteMs, t0, tenant } from './chart-api.ts';
import { insertRows, startStore } from './telemetry-rows.ts';

let api: ChartApi;
let logs: string;
let metrics: string;
const dashboardId = 'd00000000000000000000001';

/** Not a multiple of five minutes: a window need not be aligned to the epoch (alerts with an offset). */
const window = { startMs: t0 + 7 * minuteMs, endMs: t0 + 12 * minuteMs };

beforeAll(async () => {
  const engine = await startStore();
  const log = (minute: number, ServiceName: string, SeverityText: string) => ({
    TimestampMs: t0 + minute * minuteMs,
    ServiceName,
    SeverityText,
    LogAttributes: { amount: String(minute) },
  });
  await insertRows(engine.client, 'otel.otel_logs', [
    log(6, 'api', 'error'),
    log(7, 'api', 'error'),
    log(8, 'api', 'info'),
    log(9, 'api', 'info'),
    log(11, 'web', 'error'),
    log(12, 'api', 'error'),
    ...Array.from({ length: chartLimits.groups + 1 }, (_, pod) => log(30, `pod-${pod}`, 'info')),
  ]);
  api = await ChartApi.over({ runner: engine.queryRunner, schemas: engine.tableSchemas });
  logs = await api.sourceId('log');
  metrics = await api.sourceId('metric');
});

type TileFields = Omit<Dashboard['tiles'][number], 'id' | 'x' | 'y' | 'w' | 'h'>;

async function read(
  tile: TileFields,
  over: Partial<{ tileId: string; dashboardId: string; window: TimeRange }> = {},
): Promise<Reading> {
  const dashboard: Dashboard = {
    id: dashboardId,
    name: 'd',
    tags: [],
    tiles: [{ id: 'tile', x: 0, y: 0, w: 8, h: 10, ...tile }],
  };
  const dashboards = {
    find: async (tenantId: string, id: string) =>
      tenantId === tenant.id && id === dashboardId ? { dashboard, version: 1 } : undefined,
  };
  const { tileId = 'tile', dashboardId: ofDashboard = dashboardId, window: inWindow = window } = over;
  return readerOver(dashboards, new FakeSavedSearchRepository()).read({
    tenantId: tenant.id,
    watched: { kind: 'tile', dashboardId: ofDashboard, tileId },
    window: inWindow,
  });
}

function readerOver(
  dashboards: WatchedChartsDeps['dashboards'],
  savedSearches: WatchedChartsDeps['savedSearches'],
): TileReader {
  const reader = new ChartReader({
    sources: api.parts.readable,
    runner: api.parts.runner,
    unseen: new UnseenAttributes(systemClock),
  });
  const parts = { dashboards, savedSearches, reader, sql: api.parts.sql, clock: systemClock, sharedTimeoutMs: 15_000 };
  return batchReads(new ChartTilesReader(parts));
}

const searchId = 'f00000000000000000000001';

const savedSearch = (): SavedSearch => ({
  id: searchId,
  name: 'Errors',
  sourceId: logs,
  select: '',
  where: '',
  whereLanguage: 'lucene',
  orderBy: '',
  tags: [],
  filters: [],
  createdAt: '',
  updatedAt: '',
});

/** A saved search over the same rows. */
async function readSearch(parts: Partial<SavedSearch> = {}, groupBy?: string, tenantId = tenant.id): Promise<Reading> {
  const savedSearches = new FakeSavedSearchRepository();
  await savedSearches.insert(tenant.id, { ...savedSearch(), ...parts });
  const watched = { kind: 'savedSearch', savedSearchId: searchId, ...(groupBy !== undefined && { groupBy }) } as const;
  return readerOver({ find: async () => undefined }, savedSearches).read({ tenantId, watched, window });
}

const series = (change: object = {}) => ({
  sourceId: logs,
  aggFn: 'count' as const,
  where: '',
  groupBy: [] as string[],
  ...change,
});

describe('sample events of a saved search, for messages (contract §3.6)', () => {
  async function samples(parts: Partial<SavedSearch>, group: GroupPart[] = []): Promise<readonly string[]> {
    const savedSearches = new FakeSavedSearchRepository();
    await savedSearches.insert(tenant.id, { ...savedSearch(), select: 'ServiceName, SeverityText', ...parts });
    const events = new SearchService({
      sources: api.parts.readable,
      unseen: new UnseenAttributes(systemClock),
      limits,
      clock: systemClock,
    });
    const found = new SavedSearchSamples({ savedSearches, events, clock: systemClock });
    return found.find({ tenantId: tenant.id, savedSearchId: searchId, group, window });
  }

  it('are those that were evaluated: search, filters, group and window', async () => {
    expect(await samples({})).toHaveLength(4);
    expect(await samples({ where: 'SeverityText:error' })).toEqual(['web | error', 'api | error']);
    const filters = [{ type: 'sql' as const, condition: "SeverityText IN ('error')" }];
    expect(await samples({ filters }, [{ key: 'ServiceName', value: 'api' }])).toEqual(['api | error']);
  });

  it.each(["it's", '\\', "\\' OR 1 = 1 --", '"; DROP'])('a group value is no SQL: %s', async (value) => {
    expect(await samples({}, [{ key: 'ServiceName', value }])).toEqual([]);
    expect(await samples({}, [{ key: 'LogAttributes.amount', value: '7' }])).toEqual(['api | error']);
  });

  it('are at most five; none when the search can’t be read', async () => {
    expect(await samples({ where: '(' })).toEqual([]);
    expect(await samples({ sourceId: 'ffffffffffffffffffffffff' })).toEqual([]);
  });
});

describe('reading a saved search over one window (contract §3.4)', () => {
  const samplesOf = async (parts: Partial<SavedSearch>, groupBy?: string) => {
    const reading = await readSearch(parts, groupBy);
    return reading.kind === 'samples' ? reading.samples.map(({ group, value }) => [group[0]?.value, value]) : reading;
  };

  it('counts the events of the window', async () => {
    expect(await readSearch()).toEqual({
      kind: 'samples',
      samples: [{ group: [], value: 4 }],
      missingIsZero: true,
      grouped: false,
      fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it('with its where, in either language, and all its filters', async () => {
    expect(await samplesOf({ where: 'SeverityText:error' })).toEqual([[undefined, 2]]);
    expect(await samplesOf({ where: "SeverityText = 'error'", whereLanguage: 'sql' })).toEqual([[undefined, 2]]);
    const filters = [
      { type: 'sql' as const, condition: "SeverityText IN ('error')" },
      { type: 'sql_ast' as const, operator: '=', left: 'ServiceName', right: "'web'" },
    ];
    expect(await samplesOf({ filters: filters.slice(0, 1) })).toEqual([[undefined, 2]]);
    expect(await samplesOf({ filters })).toEqual([[undefined, 1]]);
    expect(await samplesOf({ filters: [{ type: 'lucene', condition: 'ServiceName:api' }] })).toEqual([[undefined, 3]]);
  });

  it('by the values of the alert’s groupBy', async () => {
    const groups = await samplesOf({}, 'ServiceName, SeverityText');
    expect(groups).toHaveLength(3);
    const reading = await readSearch({}, 'ServiceName');
    expect(reading).toMatchObject({ grouped: true });
    expect(new Map((await samplesOf({}, 'ServiceName')) as [string, number][])).toEqual(
      new Map([
        ['api', 3],
        ['web', 1],
      ]),
    );
  });

  it('its fingerprint changes with what it finds and how it is grouped, not with name, columns or order', async () => {
    const fingerprint = async (parts: Partial<SavedSearch>, groupBy?: string) => {
      const reading = await readSearch(parts, groupBy);
      return reading.kind === 'samples' ? reading.fingerprint : reading;
    };
    const plain = await fingerprint({});
    expect(await fingerprint({ name: 'x', select: 'Body', orderBy: 'Timestamp', tags: ['a'] })).toBe(plain);
    const filters = [{ type: 'sql' as const, condition: "SeverityText IN ('error')" }];
    const others = [await fingerprint({ where: 'x' }), await fingerprint({ filters }), await fingerprint({}, 'Body')];
    expect(new Set([plain, ...others]).size).toBe(4);
  });

  it('one that is gone or of another tenant, or that can’t be read, makes the alert invalid', async () => {
    const gone = { kind: 'error', type: 'INVALID_ALERT', message: 'The saved search of this alert does not exist.' };
    expect(await readSearch({}, undefined, 'another tenant')).toEqual(gone);
    for (const parts of [{ where: '(' }, { sourceId: 'ffffffffffffffffffffffff' }]) {
      expect(await readSearch(parts)).toMatchObject({ kind: 'error', type: 'INVALID_ALERT' });
    }
  });
});

describe('reading a tile over one window (decisions A6)', () => {
  it('one bucket that starts with the window, its end not included', async () => {
    expect(await read({ series: [series()] })).toEqual({
      kind: 'samples',
      samples: [{ group: [], value: 4 }],
      missingIsZero: true,
      grouped: false,
      fingerprint: expect.any(String),
    });
  });

  it('one sample per group, with the expression that made each value', async () => {
    const reading = await read({ series: [series({ groupBy: ['ServiceName', 'SeverityText'] })] });
    expect(reading).toMatchObject({ grouped: true });
    const group = (service: string, severity: string) => [
      { key: 'ServiceName', value: service },
      { key: 'SeverityText', value: severity },
    ];
    expect(reading.kind === 'samples' && reading.samples).toEqual([
      { group: group('api', 'error'), value: 1 },
      { group: group('api', 'info'), value: 2 },
      { group: group('web', 'error'), value: 1 },
    ]);
  });

  it('U-33: the value equals the chart’s over the same window', async () => {
    const aligned = { startTime: t0 + 5 * minuteMs, endTime: t0 + 10 * minuteMs };
    const quantile = series({ aggFn: 'quantile', field: 'LogAttributes.amount', level: 0.9, groupBy: ['ServiceName'] });
    const { data } = await api.chart({ ...aligned, granularity: '5m', series: [quantile] });
    const reading = await read(
      { series: [quantile] },
      { window: { startMs: aligned.startTime, endMs: aligned.endTime } },
    );
    expect(reading.kind === 'samples' && reading.samples.map(({ value }) => value)).toEqual(
      data.map((row) => row['series_0.data']),
    );
    expect(data).toHaveLength(1);
  });

  it.each([
    ['SQL as SQL', { where: "ServiceName = 'api'", whereLanguage: 'sql' }, 3],
    ['Lucene when no language is named', { where: 'ServiceName:api' }, 3],
    ['blanks as no condition, in Lucene', { where: '   ' }, 4],
    ['blanks as no condition, in SQL', { where: '   ', whereLanguage: 'sql' }, 4],
  ])('U-78: the alert reads a condition as the chart does: %s', async (_title, condition, expected) => {
    const tile = { series: [series(condition)] };
    expect(await read(tile)).toMatchObject({ samples: [{ value: expected }] });
    const range = { startTime: window.startMs, endTime: window.endMs, granularity: '1h' };
    const { data } = await api.chart({ ...range, ...tile });
    expect(data).toMatchObject([{ 'series_0.data': expected }]);
  });

  it('the last series is evaluated', async () => {
    const tile = { series: [series(), series({ where: 'SeverityText:error' })] };
    expect(await read(tile)).toMatchObject({ samples: [{ value: 2 }] });
  });

  it('the ratio when the tile is one; silence of a ratio is no zero', async () => {
    const tile = { asRatio: true, series: [series({ where: 'SeverityText:error' }), series()] };
    expect(await read(tile)).toMatchObject({ samples: [{ value: 0.5 }], missingIsZero: false });
  });

  it.each([
    ['count', {}, true],
    ['count_distinct', { field: 'Body' }, true],
    ['sum', { field: 'LogAttributes.amount' }, true],
    ['avg', { field: 'LogAttributes.amount' }, false],
    ['max', { field: 'LogAttributes.amount' }, false],
    ['quantile', { field: 'LogAttributes.amount' }, false],
    ['last_value', { field: 'LogAttributes.amount' }, false],
  ])('decisions A6: missing data of %s counts as zero: %s', async (aggFn, change, missingIsZero) => {
    const silent = series({ aggFn, where: 'ServiceName:nobody', ...change });
    expect(await read({ series: [silent] })).toMatchObject({ samples: [], missingIsZero });
  });

  it('a number tile shows its first series without groups', async () => {
    const tile = { series: [series({ type: 'number', groupBy: ['ServiceName'] }), series({ where: 'nobody' })] };
    expect(await read(tile)).toMatchObject({ samples: [{ group: [], value: 4 }], grouped: false });
  });
});

describe('tiles in config form', () => {
  const item = (change: object = {}) => ({ aggFn: 'count' as const, ...change });

  it.each(['line', 'stacked_bar', 'table'] as const)('%s: groupBy text is split at its commas', async (displayType) => {
    const fields = { sourceId: logs, select: [item()], groupBy: "ServiceName, LogAttributes['a,b']" };
    const config = { displayType, ...fields } as TileConfig;
    const reading = await read({ config });
    const keys = reading.kind === 'samples' ? reading.samples[0]?.group.map(({ key }) => key) : [];
    expect(keys).toEqual(['ServiceName', "LogAttributes['a,b']"]);
  });

  it.each(['number', 'pie', 'bar'] as const)('%s', async (displayType) => {
    const select = [item({ where: 'SeverityText:info' })];
    const config = { displayType, sourceId: logs, select } as TileConfig;
    expect(await read({ config })).toMatchObject({ samples: [{ value: 2 }] });
  });

  it('SQL conditions and the aggregated expression are those of the select item', async () => {
    const where = { where: "SeverityText = 'info'", whereLanguage: 'sql' as const };
    const select = [item({ aggFn: 'max', valueExpression: 'LogAttributes.amount', ...where })];
    expect(await read({ config: { displayType: 'line', sourceId: logs, select } })).toMatchObject({
      samples: [{ value: 9 }],
    });
  });

  it.each([
    ['markdown', { displayType: 'markdown' as const }],
    ['search', { displayType: 'search' as const, sourceId: 'x', select: '' }],
    [
      'raw SQL without buckets',
      { configType: 'sql' as const, displayType: 'line' as const, connectionId: 'x', sqlTemplate: 'SELECT 1' },
    ],
    [
      'a formula that can’t be read',
      {
        displayType: 'line' as const,
        sourceId: 'x',
        select: [{ aggFn: 'count' as const }],
        formulas: [{ expression: 'A * C' }],
      },
    ],
  ])('%s: INVALID_ALERT with a reason', async (_, config) => {
    expect(await read({ config })).toEqual({ kind: 'error', type: 'INVALID_ALERT', message: expect.any(String) });
  });
});

describe('tiles with formulas', () => {
  const config = (formulas: string[], change: object = {}): TileConfig => ({
    displayType: 'line',
    sourceId: logs,
    select: [{ aggFn: 'count', where: 'SeverityText:error' }, { aggFn: 'count' }],
    formulas: formulas.map((expression) => ({ expression })),
    ...change,
  });

  it('the last formula is evaluated: what the tile shows', async () => {
    const reading = await read({ config: config(['A + B', 'A / B * 100']) });
    expect(reading).toMatchObject({ samples: [{ group: [], value: 50 }], missingIsZero: false });
  });

  it('an operand that counts nothing in a group is zero there', async () => {
    const reading = await read({ config: config(['A / B'], { groupBy: 'SeverityText' }) });
    expect(reading).toMatchObject({ samples: [{ value: 1 }, { value: 0 }] });
  });

  it('the fingerprint changes with the formula', async () => {
    const readings = await Promise.all([read({ config: config(['A']) }), read({ config: config(['B']) })]);
    const [a, b] = readings.map((reading) => reading.kind === 'samples' && reading.fingerprint);
    expect(a).not.toBe(b);
  });
});

describe('more groups than can be evaluated', () => {
  const crowded = { window: { startMs: t0 + 30 * minuteMs, endMs: t0 + 31 * minuteMs } };

  it('U-31: says that groups were cut off', async () => {
    const reading = await read({ series: [series({ groupBy: ['ServiceName'] })] }, crowded);
    expect(reading).toMatchObject({ truncated: true });
    expect(reading.kind === 'samples' && reading.samples.length).toBe(chartLimits.groups);
  });

  it('says nothing when all of them are there', async () => {
    const few = series({ groupBy: ['ServiceName'], where: 'ServiceName:"pod-7"' });
    expect(await read({ series: [few] }, crowded)).not.toHaveProperty('truncated');
  });
});

it('decisions A3: the fingerprint changes with the query, not with the title', async () => {
  const fingerprint = async (tile: TileFields) => {
    const reading = await read(tile);
    return reading.kind === 'samples' ? reading.fingerprint : undefined;
  };
  const before = await fingerprint({ name: 'Errors', series: [series()] });
  expect(before).toEqual(expect.any(String));
  expect(await fingerprint({ name: 'Failures', series: [series()] })).toBe(before);
  expect(await fingerprint({ name: 'Errors', series: [series({ where: 'SeverityText:error' })] })).not.toBe(before);
});

describe('what cannot be read', () => {
  it.each([
    ['dashboard', { dashboardId: 'x' }, 'The dashboard of this alert does not exist.'],
    ['tile', { tileId: 'x' }, 'The tile of this alert does not exist.'],
  ])('a missing %s', async (_, over, message) => {
    expect(await read({ series: [series()] }, over)).toEqual({ kind: 'error', type: 'INVALID_ALERT', message });
  });

  it.each([
    ['a missing source', { sourceId: 'ffffffffffffffffffffffff' }, 'Source not found for series 0'],
    ['a condition that does not parse', { where: '(a' }, 'series.0.where: '],
    ['an unknown column', { aggFn: 'max', field: "Foo['x']" }, 'series.0.field: '],
  ])('%s is INVALID_ALERT', async (_, change, message) => {
    expect(await read({ series: [series(change)] })).toEqual({
      kind: 'error',
      type: 'INVALID_ALERT',
      message: expect.stringContaining(message),
    });
  });

  it('a metric series without its type is INVALID_ALERT', async () => {
    const reading = await read({ series: [series({ sourceId: metrics, metricName: 'cpu' })] });
    expect(reading).toMatchObject({ type: 'INVALID_ALERT', message: expect.stringContaining('metricDataType') });
  });

  it('a tile without series', async () => {
    expect(await read({})).toMatchObject({ type: 'INVALID_ALERT', message: 'The tile has no series.' });
  });
});
