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
const intervals = [
  '$__timeInterval(Timestamp)',
  '$__timeInterval_ms(Timestamp)',
  'toDateTime(intDiv(toUnixTimestamp(Timestamp), $__interval_s) * $__interval_s)',
];
const displays = ['line', 'stacked_bar', 'table', 'pie', 'bar', 'number'] as const;

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

function statement({ kind, sql }: Case, displayType: string, interval: string) {
  const where = 'FROM $__sourceTable WHERE $__timeFilter(Timestamp) AND $__filters';
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

const isTime = (displayType: string) => displayType === 'line' || displayType === 'stacked_bar';

function cells({ series, rows, error }: TileAnswer): [string, number | null][] {
  if (error) throw new Error(error.message);
  const all = series
    ? series.flatMap(({ group, points }) =>
        points.map(([at, value]): [string, number | null] => [`${at} ${group}`, value]),
      )
    : (rows ?? []).map((row): [string, number | null] => [row.slice(0, -1).join(), row.at(-1) as number | null]);
  return all.sort(([a], [b]) => (a < b ? -1 : 1));
}

describe(`raw SQL with macros equals the builder's charts (seed ${seed})`, () => {
  it.each(Object.keys(cases))(
    '%s: every display type, granularity, form of bucket and narrowing',
    async (name) => {
      const one = cases[name];
      if (!one) throw new Error('no such case');
      for (const granularity of granularities) {
        for (const narrowing of Object.values(narrowings)) {
          const tiles = displays.flatMap((display) => {
            const raw = (isTime(display) ? intervals : ['']).map((interval, at) => ({
              ref: `${display} ${at}`,
              tile: statement(one, display, interval),
            }));
            return [{ ref: display, tile: builder(one, display) }, ...raw];
          });
          const { json } = await api.send('POST', '/charts/tiles', {
            body: { ...range, granularity, ...narrowing, tiles },
          });
          const answers = new Map((json as { data: TileAnswer[] }).data.map((answer) => [answer.ref, answer]));
          for (const { ref } of tiles) {
            const [display = ''] = ref.split(' ');
            const [expected, found] = [answers.get(display), answers.get(ref)];
            if (!expected || !found) throw new Error('no answer');
            const near = cells(expected).map(([key, value]) => [key, value === null ? null : expect.closeTo(value, 6)]);
            expect([ref, granularity, cells(found)]).toEqual([ref, granularity, near]);
          }
        }
      }
    },
    timeoutMs,
  );
});
