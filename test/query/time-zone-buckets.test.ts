import { beforeAll, describe, expect, it } from 'vitest';
import type { TileAnswer } from '../../src/contract/tile-query.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import { ChartReader } from '../../src/resources/charts/answer/chart-reader.ts';
import type { ChartTable } from '../../src/resources/charts/answer/chart-table.ts';
import { UnseenAttributes } from '../../src/resources/charts/reading/unseen-attributes.ts';
import { bucketsOf } from '../../src/resources/charts/request/buckets.ts';
import { readChartRequest } from '../../src/resources/charts/request/read-chart-request.ts';
import { TrackingInserter } from '../../src/telemetry/tracking-inserter.ts';
import { ChartApi, tenant } from '../scenarios/charts/chart-api.ts';
import { insertRows } from '../scenarios/charts/telemetry-rows.ts';
import { nativeBlock } from '../support/native-block.ts';
import { openEngine, type TestEngine } from '../support/start-engine.ts';
import { Random } from './brute-force/random.ts';
import { makeDatabase } from './telemetry-fixture.ts';

/** Another seed takes other zones and rows. */
const seed = 20_261_129;
const random = new Random(seed);
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const range = { startMs: Date.UTC(2025, 0, 1, 5), endMs: Date.UTC(2025, 11, 20, 17) };
const granularities = ['6h', '1d', '2d', '7d', '30d'];

const clocks = new Map<string, Intl.DateTimeFormat>();

/** What a calendar on the wall shows: days since 1970-01-01. */
function dayOnTheWall(zone: string, atMs: number): number {
  const clock = clocks.get(zone) ?? new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
  clocks.set(zone, clock);
  return Date.parse(`${clock.format(atMs)}T00:00:00Z`) / dayMs;
}

/** The hours of the year at which a zone's clocks are changed. */
function changesOf(zone: string): number[] {
  const clock = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  const offsetAt = (atMs: number) => clock.format(atMs).split('GMT')[1];
  const days = Array.from({ length: 365 }, (_, day) => Date.UTC(2025, 0, 1) + day * dayMs);
  return days
    .filter((atMs) => offsetAt(atMs) !== offsetAt(atMs + dayMs))
    .flatMap((atMs) => Array.from({ length: 24 }, (_, hour) => atMs + hour * hourMs))
    .filter((atMs) => offsetAt(atMs) !== offsetAt(atMs + hourMs))
    .map((atMs) => atMs + hourMs);
}

function pick<T>(items: readonly T[], count: number): T[] {
  const left = [...items];
  return Array.from({ length: count }, () => left.splice(random.int(0, left.length - 1), 1)).flat();
}

/** Fifty in which clocks are changed twice in the year, and two in which they are not. */
const always = ['Australia/Lord_Howe', 'Africa/Cairo', 'Asia/Beirut', 'America/Santiago', 'Pacific/Chatham'];
const zones = [...always];
for (const zone of pick(Intl.supportedValuesOf('timeZone'), 400)) {
  if (zones.length < 50 && !always.includes(zone) && changesOf(zone).length === 2) zones.push(zone);
}
const still = ['Asia/Kathmandu', 'UTC'];

/** Anywhere, and close to each change and the midnights around it. */
const rows: { atMs: number; amount: number }[] = [
  ...Array.from({ length: 1_500 }, () => random.int(range.startMs - dayMs, range.endMs + dayMs)),
  ...zones.flatMap((zone) =>
    changesOf(zone).flatMap((atMs) =>
      [-24, -1, 0, 1, 22, 23, 24, 25].flatMap((hours) => [-1, 0].map((ms) => atMs + hours * hourMs + ms)),
    ),
  ),
].map((atMs) => ({ atMs, amount: random.int(0, 9) }));

let api: ChartApi;
let reader: ChartReader;
let logs: string;
let inserter: TrackingInserter;
let client: TestEngine['client'];

beforeAll(async () => {
  const engine = await openEngine();
  client = engine.client;
  await makeDatabase(engine, tenant.telemetryDatabase);
  inserter = new TrackingInserter(engine.inserter, { logs: 5_000, traces: 5_000, metrics: 5_000 }, systemClock);
  const store = { runner: engine.queryRunner, schemas: engine.tableSchemas };
  api = await ChartApi.over({ ...store, writes: inserter });
  const { readable, runner } = api.parts;
  reader = new ChartReader({ sources: readable, runner, unseen: new UnseenAttributes(systemClock) });
  logs = await api.sourceId('log');
  await ingest(rows);
});

async function ingest(added: readonly { atMs: number; amount: number }[]): Promise<void> {
  const block = nativeBlock([
    { name: 'Timestamp', type: 'DateTime64(9)', values: added.map(({ atMs }) => BigInt(atMs) * 1_000_000n) },
    {
      name: 'LogAttributes',
      type: 'Map(String, String)',
      values: added.map(({ amount }) => ({ amount: `${amount}` })),
    },
  ]);
  await inserter.insert({
    database: tenant.telemetryDatabase,
    table: 'otel_logs',
    blocks: [block],
    token: randomIds.uuid(),
  });
}

const bodyOf = (timezone: string, granularity: string, { startMs, endMs } = range) => ({
  startTime: startMs,
  endTime: endMs,
  granularity,
  timezone,
  series: [
    { sourceId: logs, aggFn: 'count' as const, where: '', groupBy: [] },
    { sourceId: logs, aggFn: 'sum' as const, field: 'LogAttributes.amount', where: '', groupBy: [] },
  ],
});

const rowDays = new Map<string, number[]>();

function daysOfRows(zone: string): number[] {
  const days = rowDays.get(zone) ?? rows.map(({ atMs }) => dayOnTheWall(zone, atMs));
  rowDays.set(zone, days);
  return days;
}

/** Rows and their sum by the number of the bucket. */
function slowly(zone: string, granularity: string): Map<number, { rows: number; sum: number }> {
  const sums = new Map<number, { rows: number; sum: number }>();
  for (const [index, { atMs, amount }] of rows.entries()) {
    if (atMs < range.startMs || atMs >= range.endMs) continue;
    const bucket = numberOf(zone, granularity, atMs, daysOfRows(zone)[index]);
    const before = sums.get(bucket) ?? { rows: 0, sum: 0 };
    sums.set(bucket, { rows: before.rows + 1, sum: before.sum + amount });
  }
  return sums;
}

function numberOf(zone: string, granularity: string, atMs: number, day = dayOnTheWall(zone, atMs)): number {
  if (granularity === '6h') return Math.floor(atMs / (6 * hourMs));
  return Math.floor(day / Number.parseInt(granularity, 10));
}

/** The answer by the number of the bucket, after a look at whether each begins where its number does. */
function byNumber(zone: string, granularity: string, { bucketsMs, series }: ChartTable) {
  return new Map(
    bucketsMs.map((startMs, row) => {
      const bucket = numberOf(zone, granularity, startMs);
      expect(numberOf(zone, granularity, startMs - 1), `${zone} ${granularity} ${startMs}`).toBe(bucket - 1);
      return [bucket, { rows: series[0]?.[row], sum: series[1]?.[row] }];
    }),
  );
}

/** Events by the start of their bucket. */
function countsOf(answer: TileAnswer | undefined): Map<number, number> {
  const counts = new Map<number, number>();
  for (const [startMs, , amount] of answer?.heatmap?.cells ?? []) {
    counts.set(startMs, (counts.get(startMs) ?? 0) + (amount ?? 0));
  }
  return counts;
}

describe('buckets of whole days in a time zone', () => {
  it.each(granularities)('%s: 52 zones over both changes of clocks equal a slow reading', async (granularity) => {
    const all = [...zones, ...still];
    const definitions = all.map((zone) => readChartRequest(bodyOf(zone, granularity)));
    const readings = await reader.readAll(tenant.id, definitions, { queryClass: 'interactive' });
    for (const [index, zone] of all.entries()) {
      const reading = readings[index];
      if (reading?.status !== 'fulfilled') throw new Error(`${zone} ${granularity}: ${reading?.reason}`);
      expect(byNumber(zone, granularity, reading.value.table), `${zone} ${granularity}, seed ${seed}`).toEqual(
        slowly(zone, granularity),
      );
    }
  });

  it('a year in each of them has a day that is longer and one that is shorter', () => {
    for (const zone of zones) {
      const lengths = bucketsOf(readChartRequest(bodyOf(zone, '1d'))).map(({ startMs, endMs }) => endMs - startMs);
      expect([Math.min(...lengths) < dayMs, Math.max(...lengths) > dayMs], zone).toEqual([true, true]);
    }
  });

  it('the bucket cache is exact: whatever was asked and written before, the answer is what a read finds', async () => {
    for (let step = 0; step < 30; step++) {
      const zone = always[random.int(0, always.length - 1)] ?? 'UTC';
      const [changeMs = 0] = pick(changesOf(zone), 1);
      const asked = {
        startMs: changeMs - random.int(1, 6) * dayMs - random.int(0, 1) * 12 * hourMs,
        endMs: changeMs + random.int(1, 6) * dayMs,
      };
      const body = bodyOf(zone, random.int(0, 2) === 0 ? '2d' : '1d', asked);
      if (step % 3 === 0) await ingest([{ atMs: changeMs + random.int(-30, 30) * hourMs, amount: 5 }]);
      const [kept, read] = [await api.chart(body), await api.chart({ ...body, explain: true })];
      expect(kept.data, `${JSON.stringify(body)}, step ${step}, seed ${seed}`).toEqual(read.data);
    }
    expect(api.parts.cache.entries).toBeGreaterThan(0);
  });

  it('tiles: the builder and raw SQL draw the same buckets, filled, and the period before lies under them', async () => {
    const sql =
      'SELECT $__timeInterval(Timestamp) AS ts, count() AS v FROM $__sourceTable WHERE $__timeFilter(Timestamp)';
    const look = { displayType: 'line', sourceId: logs, fillNulls: true, compareToPreviousPeriod: true };
    const heat = { displayType: 'heatmap', sourceId: logs, select: [{ valueExpression: 'LogAttributes.amount' }] };
    const raw = { ...look, configType: 'sql', connectionId: await api.connectionId() };
    const tiles = [
      { ref: 'builder', tile: { config: { ...look, select: [{ aggFn: 'count' }] } } },
      { ref: 'heatmap', tile: { config: heat } },
      { ref: 's', tile: { config: { ...raw, sqlTemplate: `${sql} GROUP BY ts` } } },
      { ref: 'ms', tile: { config: { ...raw, sqlTemplate: `${sql.replace('Interval', 'Interval_ms')} GROUP BY ts` } } },
    ];
    for (const timezone of ['Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu']) {
      const [changeMs = Date.UTC(2025, 5, 1, 12)] = changesOf(timezone);
      const days = { startTime: changeMs - 4 * dayMs, endTime: changeMs + 4 * dayMs };
      const { json } = await api.send('POST', '/charts/tiles', {
        body: { ...days, granularity: '1d', timezone, tiles },
      });
      const [heatmap, ...answers] = (json as { data: TileAnswer[] }).data.sort((a, b) =>
        a.heatmap ? -1 : b.heatmap ? 1 : 0,
      );
      const drawn = answers.map(
        ({ series = [], error }) => error ?? series.map(({ points, previous }) => [previous, points]),
      );
      expect(
        answers[0]?.series?.map(({ previous }) => previous),
        timezone,
      ).toEqual([undefined, true]);
      expect(countsOf(heatmap), timezone).toEqual(
        new Map(answers[0]?.series?.[0]?.points.filter(([, value]) => value !== 0)),
      );
      expect(drawn.slice(1), timezone).toEqual([drawn[0], drawn[0]]);
      for (const { points } of answers[0]?.series ?? []) {
        expect(
          points.map(([atMs]) => dayOnTheWall(timezone, atMs)),
          timezone,
        ).toEqual(Array.from({ length: points.length }, (_, day) => dayOnTheWall(timezone, points[0]?.[0] ?? 0) + day));
      }
    }
  });

  it('a rate is the same on days of 23, 24 and 25 hours', async () => {
    const metrics = await api.sourceId('metric');
    const timezone = 'Europe/Berlin';
    for (const changeMs of changesOf(timezone)) {
      const [startTime, endTime] = [changeMs - 3 * dayMs, changeMs + 3 * dayMs];
      const hours = Array.from({ length: 6 * 24 + 2 }, (_, hour) => startTime + (hour - 1) * hourMs);
      const points = hours.map((atMs, hour) => ({
        MetricName: 'steady',
        StartTimeUnixMs: hours[0],
        TimeUnixMs: atMs,
        Value: hour * 3_600,
        AggregationTemporality: 2,
        IsMonotonic: true,
      }));
      await insertRows(client, `${tenant.telemetryDatabase}.otel_metrics_sum`, points);
      const series = [
        { sourceId: metrics, aggFn: 'rate', where: '', groupBy: [], metricName: 'steady', metricDataType: 'sum' },
      ];
      const { data } = await api.chart({ startTime, endTime, granularity: '1d', timezone, series });
      const rates = data.map((row) => row['series_0.data'] as number);
      expect(rates.length).toBe(7);
      // The first and the last bucket are cut by the range, between two points.
      for (const rate of rates.slice(1, -1)) expect(rate).toBeCloseTo(1, 9);
    }
  });

  it('a name that is no time zone is rejected', async () => {
    for (const timezone of ['Mars/Olympus', '+02:00', 'Europe/Berlin; DROP', '']) {
      const [status, message] = await api.rejection({ ...bodyOf('UTC', '1d'), timezone });
      expect([status, message.includes('timezone')]).toEqual([400, true]);
    }
  });
});
