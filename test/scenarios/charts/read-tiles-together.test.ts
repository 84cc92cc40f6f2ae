import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Reading, TileRequest } from '../../../src/evaluator/ports.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { FakeClock } from '../../../src/kernel/fake-clock.ts';
import type { CompiledQuery } from '../../../src/query/compiled-query.ts';
import { ChartTileWindowsReader } from '../../../src/resources/alerts/reading/chart-tile-windows-reader.ts';
import { ChartTilesReader } from '../../../src/resources/alerts/reading/chart-tiles-reader.ts';
import { WatchedCharts } from '../../../src/resources/alerts/reading/watched-charts.ts';
import { ChartReader } from '../../../src/resources/charts/answer/chart-reader.ts';
import { UnseenAttributes } from '../../../src/resources/charts/reading/unseen-attributes.ts';
import type { Dashboard } from '../../../src/resources/dashboards/dashboard.ts';
import type { ClickHouseClient } from '../../../src/telemetry/clickhouse-client.ts';
import { type QueryRunner, TelemetryError } from '../../../src/telemetry/ports.ts';
import { ChartApi, minuteMs, t0, tenant } from './chart-api.ts';
import { LoneTileReader } from './lone-tile-reader.ts';
import { insertRows, startStore } from './telemetry-rows.ts';

type Tile = Dashboard['tiles'][number];

/** Counts the statements on their way to the engine, and answers some of them itself. */
class WatchedRunner implements QueryRunner {
  statements = 0;
  /** What becomes of a statement; it runs when this is not there. */
  instead: ((sql: string) => Promise<never> | undefined) | undefined;
  readonly #runner: QueryRunner;

  constructor(runner: QueryRunner) {
    this.#runner = runner;
  }

  run(query: CompiledQuery, options: Parameters<QueryRunner['run']>[1]) {
    this.statements += 1;
    return this.instead?.(query.sql) ?? this.#runner.run(query, options);
  }
}

let api: ChartApi;
let runner: WatchedRunner;
let logs: string;
let metrics: string;
const dashboardId = 'd00000000000000000000001';
/** Minute and value of a cumulative counter: silent for 8 minutes, then for 14, which is longer than its look-back. */
const counterPoints: [number, number][] = [
  [0, 10],
  [1, 20],
  [9, 50],
  [10, 55],
  [24, 95],
  [25, 97],
];

beforeAll(async () => {
  const engine = await startStore();
  const services = ['api', 'web', 'cart'];
  const levels = ['error', 'info', 'warn'];
  await insertRows(
    engine.client,
    'otel.otel_logs',
    Array.from({ length: 90 }, (_, index) => ({
      TimestampMs: t0 + index * 20_000 + (index % 7) * 1_000,
      ServiceName: services[index % 3] ?? '',
      SeverityText: levels[(index * 5) % 3] ?? '',
      Body: index % 4 === 0 ? 'connection refused' : 'request completed',
      LogAttributes: { amount: String(index % 11) },
    })),
  );
  await insertRows(
    engine.client,
    'otel.otel_metrics_gauge',
    Array.from({ length: 30 }, (_, index) => ({
      TimeUnixMs: t0 + index * minuteMs,
      ServiceName: services[index % 3] ?? '',
      MetricName: 'load',
      Value: index % 9,
    })),
  );
  await insertRows(
    engine.client,
    'otel.otel_metrics_sum',
    counterPoints.map(([minute, Value]) => ({
      TimeUnixMs: t0 + minute * minuteMs,
      StartTimeUnixMs: t0 - 60 * minuteMs,
      ServiceName: 'api',
      MetricName: 'jobs',
      Value,
      AggregationTemporality: 2,
      IsMonotonic: true,
    })),
  );
  await insertCrowd(engine.client);
  runner = new WatchedRunner(engine.queryRunner);
  api = await ChartApi.over({ runner, schemas: engine.tableSchemas });
  logs = await api.sourceId('log');
  metrics = await api.sourceId('metric');
});

/** Hours later, so that nothing else sees them: three windows with more pods than are evaluated, and one with few. */
const crowdMs = t0 + 10 * 60 * minuteMs;
const crowdSeed = 7;

async function insertCrowd(client: ClickHouseClient): Promise<void> {
  const random = (part: number) => `cityHash64(number, ${crowdSeed}, ${part})`;
  const pod = `concat('pod-', toString(${random(1)} % 1500))`;
  const timeMs = `${crowdMs} + if(number < 300, ${3 * minuteMs} + ${random(2)} % ${minuteMs}, ${random(2)} % ${3 * minuteMs})`;
  const time = `fromUnixTimestamp64Milli(toInt64(${timeMs}), 'UTC')`;
  const level = `if(${random(3)} % 3 = 0, 'error', 'info')`;
  const amount = `map('amount', toString(${random(4)} % 11))`;
  await client.command(
    `INSERT INTO otel.otel_logs (Timestamp, ServiceName, SeverityText, Body, LogAttributes)
     SELECT ${time}, ${pod}, ${level}, 'crowd', ${amount} FROM numbers(8100)`,
    { timeoutMs: 30_000 },
  );
  await client.command(
    `INSERT INTO otel.otel_metrics_gauge (TimeUnix, ServiceName, MetricName, Value)
     SELECT ${time}, ${pod}, 'crowd', ${random(4)} % 11 FROM numbers(8100)`,
    { timeoutMs: 30_000 },
  );
}

function readersOf(tiles: readonly Tile[], clock = new FakeClock()) {
  const dashboard = { id: dashboardId, name: 'd', tags: [], tiles: [...tiles] };
  const dashboards = {
    find: async (tenantId: string, id: string) =>
      tenantId === tenant.id && id === dashboardId ? { dashboard, version: 1 } : undefined,
  };
  const watched = { dashboards, savedSearches: { find: async () => undefined } };
  const charts = new WatchedCharts(watched);
  const reader = new ChartReader({
    sources: api.parts.readable,
    runner: api.parts.runner,
    unseen: new UnseenAttributes(systemClock),
  });
  return {
    alone: new LoneTileReader(charts, api.parts.readable, api.parts.runner),
    together: new ChartTilesReader({ ...watched, reader, sql: api.parts.sql, clock, sharedTimeoutMs: 15_000 }),
    windows: new ChartTileWindowsReader(charts, reader, api.parts.sql),
  };
}

const tileOf = (id: string, fields: object) => ({ id, x: 0, y: 0, w: 8, h: 10, ...fields }) as Tile;
const requestOf = (tileId: string, startMs: number, intervalMs: number): TileRequest => ({
  tenantId: tenant.id,
  watched: { kind: 'tile', dashboardId, tileId },
  window: { startMs, endMs: startMs + intervalMs },
});

const where = fc.constantFrom(
  '',
  'SeverityText:error',
  'ServiceName:api',
  '"connection refused"',
  'amount:>5',
  'broken:(',
);
const field = { field: 'LogAttributes.amount' };
const logSeries = fc.record({
  where,
  whereLanguage: fc.constant('lucene'),
  aggregate: fc.constantFrom(
    { aggFn: 'count' },
    { aggFn: 'avg', ...field },
    { aggFn: 'sum', ...field },
    { aggFn: 'quantile', level: 0.9, ...field },
    { aggFn: 'count_distinct', field: 'ServiceName' },
    { aggFn: 'max', field: 'Nowhere(' },
  ),
});
const groupBy = fc.constantFrom<string[]>([], ['ServiceName'], ['ServiceName', 'SeverityText']);
const logTile = fc.record({
  series: fc.array(logSeries, { minLength: 1, maxLength: 2 }),
  groupBy,
  asRatio: fc.boolean(),
});
const metricTile = fc.record({
  metric: fc.constantFrom('avg', 'max', 'last_value'),
  groupBy: fc.constantFrom([], ['ServiceName']),
});
const tile = fc.oneof({ weight: 4, arbitrary: logTile }, { weight: 1, arbitrary: metricTile });

function fieldsOf(drawn: typeof tile extends fc.Arbitrary<infer T> ? T : never): object {
  if ('metric' in drawn) {
    const { metric, groupBy: groups } = drawn;
    const series = {
      sourceId: metrics,
      aggFn: metric,
      where: '',
      groupBy: groups,
      metricName: 'load',
      metricDataType: 'gauge',
    };
    return { series: [series] };
  }
  const { asRatio, groupBy: groups } = drawn;
  const series = drawn.series.map(({ aggregate, ...rest }) => ({
    sourceId: logs,
    ...aggregate,
    ...rest,
    groupBy: groups,
  }));
  return { series, asRatio: asRatio && series.length === 2 };
}

const atom = fc.constantFrom(
  "ServiceName = 'api'",
  "ServiceName IN ('web', 'cart')",
  "SeverityText LIKE 'e%'",
  "Body = 'connection refused'",
  "toFloat64OrNull(LogAttributes['amount']) > 5",
  // Of no row it can be said whether it holds.
  'toInt64OrNull(Body) = 1',
);
const { filter: sqlFilter } = fc.letrec<{ filter: string }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small' },
    atom,
    tie('filter').map((inner) => `NOT (${inner})`),
    fc.tuple(tie('filter'), fc.constantFrom('AND', 'OR'), tie('filter')).map((parts) => `(${parts.join(' ')})`),
  ),
}));
const filter = fc.oneof(
  sqlFilter.map((text) => ({ where: text, whereLanguage: 'sql' })),
  fc
    .tuple(fc.constantFrom('', 'NOT '), where)
    .map(([not, text]) => ({ where: text === '' ? '' : `${not}${text}`, whereLanguage: 'lucene' })),
);

const windowOf = fc.record({
  minute: fc.nat(29),
  intervalMinutes: fc.constantFrom(1, 5),
  offsetMs: fc.constantFrom(0, 30_000),
});

describe('tiles of many alerts, read together', () => {
  it('each gets exactly what it gets alone, over random rules and windows (decisions A6)', async () => {
    const rule = fc.record({ tile: fc.nat(11), window: windowOf });
    await fc.assert(
      fc.asyncProperty(
        fc.array(tile, { minLength: 12, maxLength: 12 }),
        fc.array(rule, { minLength: 1, maxLength: 15 }),
        async (drawn, rules) => {
          const { alone, together } = readersOf(drawn.map((each, index) => tileOf(`t${index}`, fieldsOf(each))));
          const requests = rules.map(({ tile: at, window: { minute, intervalMinutes, offsetMs } }) =>
            requestOf(`t${at}`, t0 + minute * minuteMs + offsetMs, intervalMinutes * minuteMs),
          );
          const answers = await Promise.all(together.readTiles(requests));
          const expected: Reading[] = [];
          for (const request of requests) expected.push(await alone.read(request));
          expect(answers).toEqual(expected);
        },
      ),
      { numRuns: 15 },
    );
  });

  it('a thousand alerts on a hundred filters of one source are a handful of statements', async () => {
    const tiles = Array.from({ length: 100 }, (_, index) =>
      tileOf(`t${index}`, {
        series: [{ sourceId: logs, aggFn: 'count', where: `LogAttributes.amount:"${index}"`, groupBy: [] }],
      }),
    );
    const { together } = readersOf(tiles);
    const before = runner.statements;
    const requests = Array.from({ length: 1_000 }, (_, index) => requestOf(`t${index % 100}`, t0, 5 * minuteMs));
    const answers = await Promise.all(together.readTiles(requests));
    expect(runner.statements - before).toBeLessThanOrEqual(5);
    expect(answers.every(({ kind }) => kind === 'samples')).toBe(true);
  });

  it('many filters on the same rows: each counts exactly what it counts alone, and so do all when they can’t share', async () => {
    const count = { aggFn: 'count' };
    const chart = fc.record({
      filters: fc.uniqueArray(filter, { minLength: 1, maxLength: 2, selector: ({ where: text }) => text }),
      groupBy,
    });
    const window = { startMs: t0 + 30_000, endMs: t0 + 10 * minuteMs };
    await fc.assert(
      fc.asyncProperty(fc.array(chart, { minLength: 16, maxLength: 20 }), async (drawn) => {
        const tiles = drawn.map(({ filters, groupBy: groups }, index) =>
          tileOf(`t${index}`, {
            series: filters.map((text) => ({ sourceId: logs, ...count, ...text, groupBy: groups })),
            asRatio: filters.length === 2,
          }),
        );
        const { alone, together } = readersOf(tiles);
        const requests = tiles.map(({ id }) => requestOf(id, window.startMs, window.endMs - window.startMs));
        const expected: Reading[] = [];
        for (const request of requests) expected.push(await alone.read(request));
        const before = runner.statements;
        expect(await Promise.all(together.readTiles(requests))).toEqual(expected);
        // At most one for each kind of grouping.
        expect(runner.statements - before).toBeLessThanOrEqual(3);
        runner.instead = (sql) =>
          sql.includes('arrayFilter') ? Promise.reject(new TelemetryError('limit', 'too much', 241)) : undefined;
        expect(await Promise.all(together.readTiles(requests))).toEqual(expected);
        runner.instead = undefined;
      }),
      { numRuns: 2 },
    );
  });

  it('another tenant’s dashboard and a tile that is gone are errors of the affected alerts only (decisions F2)', async () => {
    const series = [{ sourceId: logs, aggFn: 'count', where: '', groupBy: [] }];
    const { together } = readersOf([tileOf('t', { series })]);
    const fine = requestOf('t', t0, minuteMs);
    const answers = await Promise.all(
      together.readTiles([{ ...fine, tenantId: 'other' }, fine, requestOf('gone', t0, minuteMs)]),
    );
    expect(answers.map(({ kind }) => kind)).toEqual(['error', 'samples', 'error']);
    expect(answers[0]).toMatchObject({ type: 'INVALID_ALERT', message: 'The dashboard of this alert does not exist.' });
  });

  it('when the shared statement fails, each is read alone, and only those fail that fail alone', async () => {
    const count = (filter: string) => ({ series: [{ sourceId: logs, aggFn: 'count', where: filter, groupBy: [] }] });
    const tiles = [tileOf('a', count('ServiceName:api')), tileOf('b', count('ServiceName:web'))];
    const { alone, together } = readersOf(tiles);
    const requests = [requestOf('a', t0, minuteMs), requestOf('b', t0, minuteMs)];
    const expected = await alone.read(requests[0] ?? requestOf('a', t0, minuteMs));
    let refused = 0;
    // Whatever names the service web is too much for the engine: the shared statement, and the second tile alone.
    runner.instead = () => (refused++ === 1 ? undefined : Promise.reject(new TelemetryError('limit', 'too much', 241)));
    try {
      const [a, b] = await Promise.all(together.readTiles(requests));
      expect(a).toEqual(expected);
      expect(b).toMatchObject({ kind: 'error' });
    } finally {
      runner.instead = undefined;
    }
  });

  it('a shared statement that hangs is cancelled, and each is read alone', async () => {
    const count = (filter: string) => ({ series: [{ sourceId: logs, aggFn: 'count', where: filter, groupBy: [] }] });
    const clock = new FakeClock();
    const { together } = readersOf(
      [tileOf('a', count('ServiceName:api')), tileOf('b', count('ServiceName:web'))],
      clock,
    );
    const { run } = WatchedRunner.prototype;
    const hanging: WatchedRunner['run'] = (_query, { signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(new TelemetryError('cancelled', 'the caller cancelled')));
      });
    let first = true;
    runner.run = (query, options) => {
      const wait = first;
      first = false;
      return wait ? hanging.call(runner, query, options) : run.call(runner, query, options);
    };
    const answers = Promise.all(together.readTiles([requestOf('a', t0, minuteMs), requestOf('b', t0, minuteMs)]));
    await expect.poll(() => first).toBe(false);
    await clock.advance(15_000);
    expect((await answers).map(({ kind }) => kind)).toEqual(['samples', 'samples']);
    runner.run = run;
  });
});

describe('past windows of a tile, read by one query', () => {
  it('U-33: each holds exactly what the live evaluator reads of it, over random tiles and windows', async () => {
    await fc.assert(
      fc.asyncProperty(tile, windowOf, async (drawn, { intervalMinutes, offsetMs }) => {
        const { alone, windows } = readersOf([tileOf('t', fieldsOf(drawn))]);
        const intervalMs = intervalMinutes * minuteMs;
        const range = { startMs: t0 + offsetMs, endMs: t0 + offsetMs + 4 * intervalMs };
        const { watched, tenantId } = requestOf('t', range.startMs, intervalMs);
        const { signal } = new AbortController();
        const [read] = await Promise.allSettled([
          windows.readWindows({ tenantId, watched, range, intervalMs, signal }),
        ]);
        for (let startMs = range.startMs; startMs < range.endMs; startMs += intervalMs) {
          const expected = await alone.read(requestOf('t', startMs, intervalMs));
          if (read.status === 'fulfilled') expect(read.value.of(startMs)).toEqual(expected);
          else expect(expected).toMatchObject({ kind: 'error', message: read.reason.publicText });
        }
      }),
      { numRuns: 25 },
    );
  });

  const crowd = (change: object) => ({ sourceId: logs, where: '', groupBy: ['ServiceName'], ...change });
  const gauge = () => crowd({ sourceId: metrics, aggFn: 'avg', metricName: 'crowd', metricDataType: 'gauge' });
  const crowds: [string, { cut: boolean }, () => object][] = [
    ['a count', { cut: true }, () => ({ series: [crowd({ aggFn: 'count' })] })],
    [
      'an average of errors',
      { cut: false },
      () => ({ series: [crowd({ aggFn: 'avg', ...field, where: 'SeverityText:error' })] }),
    ],
    [
      'a ratio',
      { cut: true },
      () => ({
        asRatio: true,
        series: [crowd({ aggFn: 'count', where: 'SeverityText:error' }), crowd({ aggFn: 'count' })],
      }),
    ],
    ['two sources', { cut: true }, () => ({ series: [crowd({ aggFn: 'count' }), gauge()] })],
    ['a metric', { cut: true }, () => ({ series: [gauge()] })],
  ];

  it.each(crowds)(
    'U-31: of more groups than are evaluated each window keeps its own largest, as the live evaluator does: %s',
    async (_title, { cut }, fields) => {
      const { alone, together, windows } = readersOf([tileOf('t', fields())]);
      const range = { startMs: crowdMs, endMs: crowdMs + 4 * minuteMs };
      const { watched, tenantId } = requestOf('t', range.startMs, minuteMs);
      const { signal } = new AbortController();
      const past = await windows.readWindows({ tenantId, watched, range, intervalMs: minuteMs, signal });
      const evaluated: [groups: number, truncated: boolean][] = [];
      for (let startMs = range.startMs; startMs < range.endMs; startMs += minuteMs) {
        const request = requestOf('t', startMs, minuteMs);
        const expected = await alone.read(request);
        expect(past.of(startMs)).toEqual(expected);
        expect(await Promise.all(together.readTiles([request]))).toEqual([expected]);
        if (expected.kind === 'samples') evaluated.push([expected.samples.length, expected.truncated ?? false]);
      }
      expect(past.truncated).toBe(cut);
      expect(evaluated.map(([, truncated]) => truncated)).toEqual([cut, cut, cut, false]);
      const [[largest] = [], , , [smallest] = []] = evaluated;
      if (cut) expect(largest).toBe(1_000);
      else expect(largest).toBeLessThan(1_000);
      expect(smallest).toBeGreaterThan(50);
    },
  );

  it('of a counter: the live evaluator sees what the chart shows, also after a gap longer than the look-back', async () => {
    const series = {
      sourceId: metrics,
      aggFn: 'sum',
      where: '',
      groupBy: [],
      metricName: 'jobs',
      metricDataType: 'sum',
    };
    const { alone, windows } = readersOf([tileOf('t', { series: [series] })]);
    const range = { startMs: t0 + minuteMs, endMs: t0 + 27 * minuteMs };
    const { watched, tenantId } = requestOf('t', range.startMs, minuteMs);
    const { signal } = new AbortController();
    const past = await windows.readWindows({ tenantId, watched, range, intervalMs: minuteMs, signal });
    const evaluated = (reading: Reading) => (reading.kind === 'samples' ? reading.samples[0]?.value : reading.message);
    const both: Record<number, unknown[]> = {};
    for (const [minute] of counterPoints.slice(1)) {
      const request = requestOf('t', t0 + minute * minuteMs, minuteMs);
      both[minute] = [evaluated(past.of(request.window.startMs)), evaluated(await alone.read(request))];
    }
    expect(both).toEqual({ 1: [10, 10], 9: [30, 30], 10: [5, 5], 24: [40, 40], 25: [2, 2] });
  });
});
