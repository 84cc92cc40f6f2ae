import { beforeAll, describe, expect, it } from 'vitest';
import type { SqlConfig } from '../../../src/contract/tile-config.ts';
import { freshState } from '../../../src/evaluator/alert-state.ts';
import type { Reading } from '../../../src/evaluator/ports.ts';
import { transition } from '../../../src/evaluator/transition.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { ChartTileWindowsReader } from '../../../src/resources/alerts/reading/chart-tile-windows-reader.ts';
import { ChartTilesReader } from '../../../src/resources/alerts/reading/chart-tiles-reader.ts';
import { WatchedCharts } from '../../../src/resources/alerts/reading/watched-charts.ts';
import { ChartReader } from '../../../src/resources/charts/answer/chart-reader.ts';
import { UnseenAttributes } from '../../../src/resources/charts/reading/unseen-attributes.ts';
import { ChartApi, minuteMs, t0, tenant } from './chart-api.ts';
import { insertRows, startStore } from './telemetry-rows.ts';

let api: ChartApi;
let common: Pick<SqlConfig, 'configType' | 'connectionId' | 'sourceId'>;

const log = (minute: number, ServiceName: string) => ({
  TimestampMs: t0 + minute * minuteMs,
  ServiceName,
  Body: 'x',
});

beforeAll(async () => {
  const engine = await startStore();
  await insertRows(engine.client, 'otel.otel_logs', [
    log(1, 'api'),
    log(2, 'api'),
    log(2.5, 'web'),
    log(6, 'api'),
    log(11, 'web'),
  ]);
  api = await ChartApi.over({ runner: engine.queryRunner, schemas: engine.tableSchemas });
  common = { configType: 'sql', connectionId: await api.connectionId(), sourceId: await api.sourceId('log') };
});

const dashboardId = 'd00000000000000000000001';
const watched = { kind: 'tile' as const, dashboardId, tileId: 'tile' };

function readers(displayType: 'line' | 'number' | 'table', sqlTemplate: string) {
  const tile = { id: 'tile', x: 0, y: 0, w: 8, h: 10, config: { ...common, displayType, sqlTemplate } as SqlConfig };
  const filters = [
    {
      id: 'f',
      type: 'QUERY_EXPRESSION',
      name: 'svc',
      expression: 'ServiceName',
      sourceId: 's',
      isVariableEnabled: true,
    },
  ] as never;
  const dashboard = { id: dashboardId, name: 'd', tags: [], tiles: [tile], filters };
  const stores = {
    dashboards: { find: async () => ({ dashboard, version: 1 }) },
    savedSearches: { find: async () => undefined },
  };
  const { readable, runner } = api.parts;
  const reader = new ChartReader({ sources: readable, runner, unseen: new UnseenAttributes(systemClock) });
  const { sql } = api.parts;
  return {
    tiles: new ChartTilesReader({ ...stores, reader, sql, clock: systemClock, sharedTimeoutMs: 15_000 }),
    windows: new ChartTileWindowsReader(new WatchedCharts(stores), reader, sql),
  };
}

const windowAt = (minute: number, minutes = 5) => ({
  startMs: t0 + minute * minuteMs,
  endMs: t0 + (minute + minutes) * minuteMs,
});

async function read(displayType: 'line' | 'number' | 'table', sql: string, window = windowAt(0)): Promise<Reading> {
  const [reading] = readers(displayType, sql).tiles.readTiles([{ tenantId: tenant.id, watched, window }]);
  if (!reading) throw new Error('no reading');
  return reading;
}

const byService =
  'SELECT $__timeInterval(Timestamp) AS ts, ServiceName, 1 AS other, count() AS n FROM $__sourceTable WHERE $__timeFilter(Timestamp) AND $__filters GROUP BY ts, ServiceName ORDER BY ServiceName';

function samples(reading: Reading) {
  if (reading.kind === 'error') return [reading.type, reading.message];
  return reading.samples.map(({ group, value }) => [group.map((part) => part.value).join(), value]);
}

describe('alerts on raw SQL (contract §3.4)', () => {
  it('over time: the last number of each row, by the other columns; the window is the range', async () => {
    const reading = await read('line', byService);
    expect(samples(reading)).toEqual([
      ['api', 2],
      ['web', 1],
    ]);
    expect(reading).toMatchObject({
      grouped: true,
      missingIsZero: true,
      fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(samples(await read('line', byService, windowAt(20)))).toEqual([]);
  });

  it('a window with an offset is one bucket', async () => {
    expect(samples(await read('line', byService, windowAt(1.5)))).toEqual([
      ['api', 2],
      ['web', 1],
    ]);
  });

  it('rows outside of the window do not count, whatever the statement returns', async () => {
    const unbounded = 'SELECT $__timeInterval(Timestamp) AS ts, count() AS n FROM otel_logs GROUP BY ts';
    expect(samples(await read('line', unbounded, windowAt(5)))).toEqual([['', 1]]);
  });

  it('of several rows of a group the worst counts', async () => {
    const perMinute =
      'SELECT toStartOfMinute(Timestamp) AS ts, count() AS n, $__interval_s > 0 AS more, toFloat64(toMinute(ts) % 10) AS v FROM otel_logs WHERE $__timeFilter(Timestamp) GROUP BY ts ORDER BY ts';
    const reading = await read('line', perMinute);
    expect(samples(reading)).toEqual([
      ['', 1],
      ['', 2],
    ]);
    const rule = { thresholdType: 'below' as const, threshold: 2, consecutiveWindows: 1 };
    const below = transition(rule, freshState, reading, windowAt(0));
    expect(below.changes.map(({ reason, value }) => [reason, value])).toEqual([['firing', 1]]);
    const above = transition({ ...rule, thresholdType: 'above' }, freshState, reading, windowAt(0));
    expect(above.changes.map(({ reason, value }) => [reason, value])).toEqual([['firing', 2]]);
  });

  it('a number: the last number of the first row', async () => {
    const sql = 'SELECT 5 AS a, count() AS n FROM otel_logs WHERE $__timeFilter(Timestamp)';
    expect(samples(await read('number', sql))).toEqual([['', 3]]);
    expect(await read('number', 'SELECT avg(1.5) AS n WHERE 0')).toMatchObject({ missingIsZero: false });
  });

  it('U-20: no value of a variable is chosen', async () => {
    const from = 'SELECT count() AS n FROM $__sourceTable WHERE $__timeFilter(Timestamp) AND';
    expect(samples(await read('number', `${from} $__filter(ServiceName, $svc) AND $__filter($svc)`))).toEqual([
      ['', 3],
    ]);
    expect(samples(await read('number', `${from} ServiceName IN ($svc)`))).toEqual([['', 0]]);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the dashboard
    expect(samples(await read('number', 'SELECT ${svc:csv} FROM otel_logs'))).toEqual([
      'INVALID_ALERT',
      expect.stringContaining('choose a value of $svc'),
    ]);
  });

  it('past windows are what the evaluator reads of each', async () => {
    const statements = [
      ['line', byService],
      ['number', 'SELECT count() AS n FROM otel_logs WHERE $__timeFilter(Timestamp)'],
    ] as const;
    for (const [displayType, sql] of statements) {
      for (const offset of [0, 1.5]) {
        const { windows } = readers(displayType, sql);
        const range = windowAt(offset, 15);
        const signal = new AbortController().signal;
        const past = await windows.readWindows({
          tenantId: tenant.id,
          watched,
          range,
          intervalMs: 5 * minuteMs,
          signal,
        });
        for (const at of [0, 5, 10]) {
          const live = await read(displayType, sql, windowAt(at + offset));
          expect(past.of(t0 + (at + offset) * minuteMs)).toEqual(live);
        }
      }
    }
  });

  it.each([
    ['line', 'SELECT now() AS ts, 1 AS n', 'INVALID_ALERT', 'no bucket'],
    ['table', 'SELECT 1 AS n', 'INVALID_ALERT', 'value per window'],
    ['number', 'SELECT sleep(1)', 'INVALID_ALERT', 'sleep is not allowed'],
    ['number', 'SELECT nothing FROM otel_logs', 'INVALID_ALERT', 'nothing'],
  ] as const)('%s, %s: %s', async (displayType, sql, type, message) => {
    expect(await read(displayType, sql)).toEqual({ kind: 'error', type, message: expect.stringContaining(message) });
  });
});
