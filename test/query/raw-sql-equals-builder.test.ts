import { beforeAll, describe, expect, it } from 'vitest';
import type { TileAnswer } from '../../src/contract/tile-query.ts';
import type { ChartApi } from '../scenarios/charts/chart-api.ts';
import { Random } from './brute-force/random.ts';
import { randomWorld } from './brute-force/world.ts';
import { minute, T0 } from './telemetry-fixture.ts';

const seed = 20_261_130;
const timeoutMs = 240_000;
const range = { startTime: T0 + 3 * minute + 1, endTime: T0 + 57 * minute };
let api: ChartApi;
let sources: { log: string; trace: string; metric: string };
let connectionId: string;

beforeAll(async () => {
  ({ api } = await randomWorld(new Random(seed)));
  sources = {
    log: await api.sourceId('log'),
    trace: await api.sourceId('trace'),
    metric: await api.sourceId('metric'),
  };
  connectionId = await api.connectionId();
}, timeoutMs);

interface Case {
  kind: 'log' | 'trace';
  /** What the builder aggregates, and the same in SQL. */
  item: object;
  sql: string;
}

const cases: Record<string, Case> = {
  'logs counted': { kind: 'log', item: { aggFn: 'count' }, sql: 'count()' },
  'the largest severity': {
    kind: 'log',
    item: { aggFn: 'max', valueExpression: 'SeverityNumber' },
    sql: 'max(SeverityNumber)',
  },
  'distinct bodies': {
    kind: 'log',
    item: { aggFn: 'count_distinct', valueExpression: 'Body' },
    sql: "uniqExactIf(Body, Body != '')",
  },
  'spans counted': { kind: 'trace', item: { aggFn: 'count' }, sql: 'count()' },
  'durations added': { kind: 'trace', item: { aggFn: 'sum', valueExpression: 'Duration' }, sql: 'sum(Duration)' },
  'mean duration': { kind: 'trace', item: { aggFn: 'avg', valueExpression: 'Duration' }, sql: 'avg(Duration)' },
  'p90 of durations': {
    kind: 'trace',
    item: { aggFn: 'quantile', level: 0.9, valueExpression: 'Duration' },
    sql: 'quantileExactInclusive(0.9)(Duration)',
  },
};
const narrowings: Record<string, object> = {
  nothing: {},
  'a filter and a search': {
    filters: [{ expression: 'ServiceName', values: ['api', "it's"] }],
    where: 'ServiceName:a*',
  },
};
const granularities = ['1m', '7m', '10m', '1h'];
/** Every macro and parameter of buckets … */
const intervals = [
  '$__timeInterval(Timestamp)',
  '$__timeInterval_ms(Timestamp)',
  'toDateTime(intDiv(toUnixTimestamp(Timestamp), $__interval_s) * $__interval_s)',
  'toStartOfInterval(Timestamp, toIntervalSecond({intervalSeconds:Int64}))',
  'fromUnixTimestamp64Milli(intDiv(toUnixTimestamp64Milli(Timestamp), {intervalMilliseconds:Int64}) * {intervalMilliseconds:Int64})',
];
/** … and of the range; `$__fromTime` and `$__toTime` are whole seconds. */
const ranges = [
  '$__timeFilter(Timestamp)',
  '$__timeFilter_ms(Timestamp)',
  '$__dateFilter(toDate(Timestamp)) AND $__timeFilter(Timestamp)',
  '$__dateTimeFilter(toDate(Timestamp), Timestamp)',
  '$__dt(toDate(Timestamp), Timestamp)',
  'Timestamp >= $__fromTime_ms AND Timestamp < $__toTime_ms',
  'Timestamp >= $__fromTime AND Timestamp < $__toTime AND $__timeFilter(Timestamp)',
  'Timestamp >= fromUnixTimestamp64Milli({startDateMilliseconds:Int64}) AND Timestamp < fromUnixTimestamp64Milli({endDateMilliseconds:Int64})',
];
const displays = ['line', 'stacked_bar', 'stacked_line', 'table', 'pie', 'bar', 'number'] as const;

function builder({ kind, item }: Case, displayType: string) {
  const isNumber = displayType === 'number';
  return {
    config: {
      displayType,
      sourceId: sources[kind],
      select: [item],
      ...(!isNumber && { groupBy: 'ServiceName' }),
      ...(isTime(displayType) && { fillNulls: false }),
    },
  };
}

function statement({ kind, sql }: Case, displayType: string, at: number, filters = '$__filters') {
  const interval = intervals[at % intervals.length];
  const where = `FROM $__sourceTable WHERE ${ranges[at % ranges.length]} AND ${filters}`;
  const text = isTime(displayType)
    ? `SELECT ${interval} AS ts, ServiceName, ${sql} AS v ${where} GROUP BY ts, ServiceName`
    : displayType === 'number'
      ? `SELECT ${sql} AS v ${where}`
      : `SELECT ServiceName, ${sql} AS v ${where} GROUP BY ServiceName ORDER BY v DESC, ServiceName`;
  return {
    config: {
      configType: 'sql',
      displayType,
      connectionId,
      sourceId: sources[kind],
      sqlTemplate: text,
      ...(isTime(displayType) && { fillNulls: false }),
    },
  };
}

const isTime = (displayType: string) => ['line', 'stacked_bar', 'stacked_line'].includes(displayType);

function cells({ series, rows, error }: TileAnswer): [string, number | null][] {
  if (error) throw new Error(error.message);
  const all = series
    ? series.flatMap(({ group, points }) =>
        points.map(([at, value]): [string, number | null] => [`${at} ${group}`, value]),
      )
    : (rows ?? []).map((row): [string, number | null] => [row.slice(0, -1).join(), row.at(-1) as number | null]);
  return all.sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Each statement is answered as the builder's tile. */
async function areEqual(asked: object, built: object, statements: readonly object[]): Promise<void> {
  const tiles = [built, ...statements].map((tile, at) => ({ ref: String(at), tile }));
  const { json } = await api.send('POST', '/charts/tiles', { body: { ...range, ...asked, tiles } });
  const [expected, ...found] = (json as { data: TileAnswer[] }).data;
  if (!expected || found.length !== statements.length) throw new Error('no answer');
  const near = cells(expected).map(([key, value]) => [key, value === null ? null : expect.closeTo(value, 6)]);
  found.forEach((answer, at) => {
    expect([statements[at], asked, cells(answer)]).toEqual([statements[at], asked, near]);
  });
}

describe(`raw SQL with macros equals the builder's charts (seed ${seed})`, () => {
  it.each(Object.keys(cases))(
    '%s: every display type, granularity, macro of time and narrowing',
    async (name) => {
      const one = cases[name];
      if (!one) throw new Error('no such case');
      for (const granularity of granularities) {
        for (const narrowing of Object.values(narrowings)) {
          for (const display of displays) {
            const raw = ranges.map((_, at) => statement(one, display, at));
            await areEqual({ granularity, ...narrowing }, builder(one, display), raw);
          }
        }
      }
    },
    timeoutMs,
  );

  it.each(displays)(
    '%s: macros of variables narrow as conditions do, and without values not at all',
    async (display) => {
      for (const one of Object.values(cases)) {
        for (const values of [['api'], ['api', "it's"], []]) {
          const list = values.map((value) => `'${value.replace("'", "\\'")}'`).join(', ');
          const where = values.length > 0 ? { where: `ServiceName IN (${list})`, whereLanguage: 'sql' } : {};
          const narrowed = { ...one, item: { ...one.item, ...where } };
          const statements = [
            '$__filter(ServiceName, $svc)',
            '$__conditionalAll(ServiceName IN ($svc), $svc)',
            '$__filter($svc)',
          ].map((filter, at) => statement(one, display, at, filter));
          const variables = [{ name: 'svc', values, expression: 'ServiceName' }];
          await areEqual({ granularity: '10m', variables }, builder(narrowed, display), statements);
        }
      }
    },
    timeoutMs,
  );

  it('$__sourceTable of each type of metric is the table that the builder reads', async () => {
    const { json } = await api.send('POST', '/charts/tiles', {
      body: {
        ...range,
        tiles: ['gauge', 'sum', 'histogram', 'summary', 'exponential histogram'].map((type) => ({
          ref: type,
          tile: {
            config: {
              ...{ configType: 'sql', displayType: 'table', connectionId, sourceId: sources.metric },
              sqlTemplate: `SELECT MetricName, count() AS points FROM $__sourceTable(${type}) WHERE $__timeFilter(TimeUnix) GROUP BY MetricName`,
            },
          },
        })),
      },
    });
    for (const answer of (json as { data: TileAnswer[] }).data) {
      expect([answer.ref, cells(answer).length > 0]).toEqual([answer.ref, true]);
    }
    const gauge = { metricType: 'gauge', metricName: 'gauge.1', valueExpression: 'Value' };
    const built = {
      config: {
        displayType: 'table',
        sourceId: sources.metric,
        select: [{ aggFn: 'max', ...gauge }],
        groupBy: 'ServiceName',
      },
    };
    const sql = `SELECT ServiceName, maxIf(Value, isFinite(Value) AND bitAnd(Flags, 1) = 0) AS v FROM $__sourceTable(gauge)
      WHERE $__timeFilter(TimeUnix) AND MetricName = 'gauge.1' GROUP BY ServiceName`;
    const raw = { configType: 'sql', displayType: 'table', connectionId, sourceId: sources.metric, sqlTemplate: sql };
    await areEqual({}, built, [{ config: raw }]);
  });
});
