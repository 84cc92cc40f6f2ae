import { beforeAll, describe, expect, it } from 'vitest';
import { sqlMacros } from '../../../src/contract/sql-macros.ts';
import type { TileAnswer } from '../../../src/contract/tile-query.ts';
import { connectionOf } from '../../support/connection-record.ts';
import type { TestEngine } from '../../support/start-engine.ts';
import { ChartApi, hourMs, minuteMs, otherTenant, t0, tenant } from './chart-api.ts';
import { insertRows, startStore } from './telemetry-rows.ts';

let api: ChartApi;
let logs: string;
let metrics: string;
let connectionId: string;
let store: TestEngine;

const log = (minute: number, ServiceName: string, SeverityText: string) => ({
  TimestampMs: t0 + minute * minuteMs,
  ServiceName,
  SeverityText,
  Body: `${ServiceName} says ${SeverityText}`,
});
const gauge = (minute: number, Value: number) => ({
  TimeUnixMs: t0 + minute * minuteMs,
  ServiceName: 'api',
  MetricName: 'load',
  Value,
});

beforeAll(async () => {
  const engine = await startStore();
  store = engine;
  await insertRows(engine.client, 'otel.otel_logs', [
    log(-10, 'api', 'error'),
    log(5, 'api', 'error'),
    log(6, 'api', 'info'),
    log(65, 'api', 'info'),
    log(66, 'web', 'info'),
    log(125, 'web', 'error'),
    log(180, 'web', 'error'),
  ]);
  await insertRows(engine.client, 'otel_other.otel_logs', [log(5, 'secret', 'error')]);
  await insertRows(engine.client, 'otel.otel_metrics_gauge', [gauge(5, 2), gauge(70, 4)]);
  api = await ChartApi.over({ runner: engine.queryRunner, schemas: engine.tableSchemas });
  logs = await api.sourceId('log');
  metrics = await api.sourceId('metric');
  connectionId = await api.connectionId();
});

type Display = 'line' | 'stacked_bar' | 'stacked_line' | 'table' | 'number' | 'pie' | 'bar';

const tile = (displayType: Display, sqlTemplate: string, change: object = {}) => ({
  config: { configType: 'sql', displayType, connectionId, sourceId: logs, sqlTemplate, ...change },
});

async function ask(body: object, change: object = {}): Promise<TileAnswer> {
  const request = {
    startTime: t0,
    endTime: t0 + 3 * hourMs,
    granularity: '1h',
    tiles: [{ ref: 'a', tile: body }],
    ...change,
  };
  const answer = await api.send('POST', '/charts/tiles', { body: request });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body}`);
  const [only] = (answer.json as { data: TileAnswer[] }).data;
  if (!only) throw new Error('no answer');
  return only;
}

const seriesOf = ({ series = [], error }: TileAnswer) =>
  error ??
  series.map(({ name, group, points }) => [name, group, points.map(([at, value]) => [(at - t0) / minuteMs, value])]);
const rowsOf = ({ rows, error }: TileAnswer) => error ?? rows;

const perHour =
  'SELECT $__timeInterval(Timestamp) AS ts, ServiceName, count() AS events FROM $__sourceTable WHERE $__timeFilter(Timestamp) AND $__filters GROUP BY ts, ServiceName';

describe('tiles of raw SQL over time', () => {
  it.each(['line', 'stacked_bar', 'stacked_line'] as const)(
    '%s: time, groups and values by the types of the columns; empty buckets of counts are 0',
    async (displayType) => {
      const answer = await ask(tile(displayType, perHour, { numberFormat: { output: 'byte' } }));
      expect(seriesOf(answer)).toEqual([
        [
          'events',
          ['api'],
          [
            [0, 2],
            [60, 1],
            [120, 0],
          ],
        ],
        [
          'events',
          ['web'],
          [
            [0, 0],
            [60, 1],
            [120, 1],
          ],
        ],
      ]);
      expect(answer).toMatchObject({
        displayType,
        granularity: '1h',
        granularityMs: hourMs,
        series: [{ numberFormat: { output: 'byte' }, select: 0 }, {}],
      });
      expect(answer.meta).toMatchObject({ cache: 'off', exact: true, truncated: false, rowsRead: expect.any(Number) });
      expect(answer.meta).not.toHaveProperty('warnings');
    },
  );

  it('several values without groups are a series each; what is no count is not filled with 0', async () => {
    const sql =
      "SELECT $__timeInterval(Timestamp) AS ts, count() AS n, avg(length(ServiceName)) AS a FROM otel_logs WHERE $__timeFilter(Timestamp) AND ServiceName = 'api' GROUP BY ts";
    expect(seriesOf(await ask(tile('line', sql)))).toEqual([
      [
        'n',
        [],
        [
          [0, 2],
          [60, 1],
          [120, 0],
        ],
      ],
      [
        'a',
        [],
        [
          [0, 3],
          [60, 3],
          [120, null],
        ],
      ],
    ]);
    expect(seriesOf(await ask(tile('line', sql, { fillNulls: false })))).toEqual([
      [
        'n',
        [],
        [
          [0, 2],
          [60, 1],
        ],
      ],
      [
        'a',
        [],
        [
          [0, 3],
          [60, 3],
        ],
      ],
    ]);
  });

  it('the period before lies under this one', async () => {
    const answer = await ask(tile('line', perHour, { compareToPreviousPeriod: true, fillNulls: false }));
    expect(answer.series?.filter(({ previous }) => previous).map(({ group, points }) => [group, points])).toEqual([
      [['api'], [[t0 + 2 * hourMs, 1]]],
    ]);
  });

  it('the largest groups only, if a limit is set', async () => {
    const answer = await ask(tile('line', perHour, { seriesLimit: 1, fillNulls: false }));
    expect(seriesOf(answer)).toEqual([
      [
        'events',
        ['api'],
        [
          [0, 2],
          [60, 1],
        ],
      ],
    ]);
    expect(answer.meta?.truncated).toBe(true);
  });

  it('rows outside of the range, and repeated times, are reported', async () => {
    const answer = await ask(
      tile('line', 'SELECT toStartOfHour(Timestamp) AS ts, length(Body) AS l FROM otel_logs ORDER BY Timestamp'),
    );
    expect(answer.meta?.warnings).toEqual([
      { path: 'config.sqlTemplate', message: expect.stringMatching(/^4 rows are not drawn/) },
    ]);
  });

  it('the whole buckets at the ends are read where the tile says so', async () => {
    const part = { startTime: t0 + 10 * minuteMs, endTime: t0 + 130 * minuteMs };
    const sums = async (change: object) => seriesOf(await ask(tile('line', perHour, change), part));
    expect(await sums({ fillNulls: false })).toEqual([
      ['events', ['api'], [[60, 1]]],
      [
        'events',
        ['web'],
        [
          [60, 1],
          [120, 1],
        ],
      ],
    ]);
    expect(await sums({ fillNulls: false, alignDateRangeToGranularity: true })).toEqual([
      [
        'events',
        ['api'],
        [
          [0, 2],
          [60, 1],
        ],
      ],
      [
        'events',
        ['web'],
        [
          [60, 1],
          [120, 1],
        ],
      ],
    ]);
  });
});

describe('tiles of raw SQL without a time axis', () => {
  const byService =
    'SELECT ServiceName, count() AS events FROM $__sourceTable WHERE $__timeFilter(Timestamp) GROUP BY ServiceName ORDER BY events DESC';

  it.each(['table', 'pie', 'bar'] as const)('%s: rows in the order of the statement', async (displayType) => {
    const answer = await ask(tile(displayType, byService));
    expect(answer.columns).toEqual([
      { name: 'ServiceName', kind: 'group' },
      { name: 'events', kind: 'value' },
    ]);
    expect(rowsOf(answer)).toEqual([
      ['api', 3],
      ['web', 2],
    ]);
  });

  it.each(['pie', 'bar'] as const)('%s: groups name it, the last number is its value', async (displayType) => {
    const sql =
      "SELECT count() AS a, ServiceName, 7 AS b, 'x' AS c FROM otel_logs WHERE $__timeFilter(Timestamp) GROUP BY ServiceName ORDER BY a DESC";
    expect(rowsOf(await ask(tile(displayType, sql)))).toEqual([
      ['api', 'x', 7],
      ['web', 'x', 7],
    ]);
    expect((await ask(tile(displayType, "SELECT 'a' AS a"))).error?.message).toContain('needs a column of numbers');
  });

  it('a table shows all kinds of values', async () => {
    const sql =
      "SELECT 1 AS a, toDateTime('2025-01-15 10:00:00', 'UTC') AS b, ['x', 'y'] AS c, map('k', 1) AS d, NULL AS e, true AS f, toDecimal64(1.5, 2) AS g, nan AS h, toUUID('00000000-0000-0000-0000-000000000001') AS i";
    expect(rowsOf(await ask(tile('table', sql)))).toEqual([
      [
        1,
        '2025-01-15T10:00:00Z',
        '["x","y"]',
        '{"k":1}',
        '',
        'true',
        1.5,
        null,
        '00000000-0000-0000-0000-000000000001',
      ],
    ]);
  });

  it('a number is the last number of the first row; without a row it is null', async () => {
    const sql = 'SELECT 7 AS other, count() AS events FROM otel_logs WHERE $__timeFilter(Timestamp)';
    const answer = await ask(tile('number', sql, { color: 'chart-red' }));
    expect([answer.columns, rowsOf(answer)]).toEqual([[{ name: 'events', kind: 'value' }], [[5]]]);
    expect(rowsOf(await ask(tile('number', 'SELECT 1 WHERE 0')))).toEqual([[null]]);
  });
});

describe('macros and parameters', () => {
  const count = async (condition: string, change: object = {}) =>
    rowsOf(await ask(tile('number', `SELECT count() FROM $__sourceTable WHERE ${condition}`), change));

  it.each([
    ['$__timeFilter(Timestamp)', 5],
    ['$__timeFilter(TimestampTime)', 5],
    ['$__timeFilter_ms(Timestamp)', 5],
    ['$__timeFilter(toDateTime(Timestamp))', 5],
    ['$__dateTimeFilter(toDate(Timestamp), Timestamp)', 5],
    ['$__dt(toDate(Timestamp), Timestamp)', 5],
    ['Timestamp >= $__fromTime AND Timestamp < $__toTime', 5],
    ['Timestamp >= $__fromTime_ms AND Timestamp <= $__toTime_ms', 6],
    ['Timestamp >= $__fromTime() AND $__timeFilter( Timestamp )', 5],
    [
      'Timestamp >= fromUnixTimestamp64Milli({startDateMilliseconds:Int64}) AND Timestamp < fromUnixTimestamp64Milli({ endDateMilliseconds : Int64 })',
      5,
    ],
    ['$__interval_s = 3600 AND {intervalSeconds:Int64} = 3600 AND {intervalMilliseconds:UInt64} = 3600000', 7],
    ['$__timeFilter(Timestamp) /* $__nothing */ -- $__nothing', 5],
    ["$__timeFilter(Timestamp) AND Body != '$__nothing $nothing'", 5],
    ['$__timeFilter(Timestamp) AND "ServiceName" = \'api\';', 3],
    ["$__timeFilter(Timestamp) AND (NOT $__timeFilter(Timestamp) OR ServiceName IN ('web'))", 2],
  ])('%s', async (condition, expected) => {
    expect(await count(condition)).toEqual([[expected]]);
  });

  it('$__dateFilter: the days that the range touches', async () => {
    const sql =
      'SELECT $__dateFilter(toDate($__fromTime)) AS first, $__dateFilter(toDate($__fromTime) - 1) AS before, $__dateFilter(toDate($__toTime) + 1) AS after';
    expect(rowsOf(await ask(tile('table', sql)))).toEqual([[1, 0, 0]]);
  });

  it('$__filters: the dashboard’s filters and search, as far as they concern the source', async () => {
    const condition = '$__timeFilter(Timestamp) AND $__filters';
    expect(await count(condition)).toEqual([[5]]);
    expect(await count(condition, { filters: [{ expression: 'ServiceName', values: ["it's", 'web'] }] })).toEqual([
      [2],
    ]);
    expect(
      await count(condition, { filters: [{ sourceId: metrics, expression: 'ServiceName', values: ['web'] }] }),
    ).toEqual([[5]]);
    expect(await count(condition, { where: 'SeverityText:error' })).toEqual([[2]]);
    const both = {
      where: "ServiceName = 'api'",
      whereLanguage: 'sql',
      filters: [{ condition: 'SeverityText:error OR SeverityText:info' }],
    };
    expect(await count(condition, both)).toEqual([[3]]);
  });

  it('filters that narrow nothing are reported', async () => {
    const answer = await ask(tile('number', 'SELECT count() FROM otel_logs'), { where: 'ServiceName:web' });
    expect(answer.meta?.warnings).toEqual([
      { path: 'config.sqlTemplate', message: expect.stringContaining('$__filters') },
    ]);
  });

  it('the tables of metrics by their type, with filters by their attributes', async () => {
    const sql = 'SELECT sum(Value) AS v FROM $__sourceTable(gauge) WHERE $__timeFilter(TimeUnix) AND $__filters';
    expect(rowsOf(await ask(tile('number', sql, { sourceId: metrics })))).toEqual([[6]]);
    expect(rowsOf(await ask(tile('number', sql, { sourceId: metrics }), { where: 'ServiceName:nobody' }))).toEqual([
      [0],
    ]);
    expect(rowsOf(await ask(tile('number', 'SELECT 1 FROM $__sourceTable', { sourceId: metrics })))).toMatchObject({
      message: expect.stringContaining('$__sourceTable(gauge)'),
    });
  });

  it('what the statement names is a table of the team’s own database, with or without its name', async () => {
    for (const from of [
      'otel_logs',
      'otel.otel_logs',
      '`otel`.`otel_logs`',
      '(SELECT * FROM otel_logs)',
      '$__sourceTable AS t',
    ]) {
      expect(
        rowsOf(await ask(tile('number', `SELECT count() FROM ${from}`, { sourceId: undefined === from ? '' : logs }))),
      ).toEqual([[7]]);
    }
    const secret = await ask(tile('table', 'SELECT ServiceName FROM otel_other.otel_logs'));
    expect(secret.error).toMatchObject({ code: 'query_invalid', path: 'config.sqlTemplate', position: 24 });
  });
});

describe('errors have their place in the text that was written, macros or not', () => {
  it.each([
    ['SELECT $__timeFilter(Timestamp), nothing FROM otel_logs', 'nothing'],
    ['SELECT $__timeFilter(Timestamp) FROM otel_logs\nWHERE nothing = 1', 'nothing'],
    ['SELECT $__timeFilter(Timestamp), nothing(1) FROM otel_logs', 'nothing'],
    ['SELECT $__timeFilter(Timestamp) FROM no_table', 'no_table'],
    ["SELECT 'é€😀', $__timeFilter(Timestamp) FROM otel_logs WHERE WHERE 1", '1'],
    ['SELECT $__timeInterval(Timestamp) AS ts, count() FROM otel_logs GROUP BY ts ORDER BY', ''],
    ['SELECT $__fromTime, sleep(1)', 'sleep'],
    ['SELECT $__fromTime, $__nothing', '$__nothing'],
    ['SELECT $__fromTime, $nothing', '$nothing'],
    ['SELECT $__fromTime, (1', '(1'],
  ])('%s', async (sql, at) => {
    const { error } = await ask(tile('table', sql));
    expect(error).toMatchObject({ code: 'query_invalid', path: 'config.sqlTemplate' });
    expect([error?.message, sql.slice(error?.position)]).toEqual([
      error?.message,
      expect.stringMatching(new RegExp(`^${at.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`)),
    ]);
    if (at === '') expect(error?.position).toBe(sql.length);
  });

  it.each([
    ['line', 'SELECT 1 AS n', 'needs a column of type DateTime'],
    ['line', 'SELECT now() AS ts', 'needs a column of numbers'],
    ['number', "SELECT 'a' AS a", 'needs a column of numbers'],
    ['table', 'SELECT 1, 1', 'two columns are called 1'],
    ['table', 'SELECT * FROM numbers(100000)', 'more than 10000 rows'],
    ['table', 'SELECT throwIf(1)', 'throwIf is not allowed'],
  ] as const)('%s: %s', async (displayType, sql, message) => {
    expect((await ask(tile(displayType, sql))).error).toMatchObject({
      code: 'query_invalid',
      message: expect.stringContaining(message),
    });
  });

  it('what fails while rows are read says no word of the database’s', async () => {
    const { error } = await ask(tile('table', 'SELECT toUInt8(Body) AS n FROM otel_logs'));
    expect(error?.message).not.toMatch(/says|DB::|Code/);
  });
});

it('explains the statement that ran', async () => {
  const answer = await ask(tile('number', 'SELECT count() FROM otel_logs WHERE $__timeFilter(Timestamp)'), {
    explain: true,
  });
  expect(answer.meta?.explain).toMatchObject([
    {
      source: 'Logs',
      series: [0],
      statements: [
        {
          mechanism: 'rawSql',
          sql: expect.stringContaining('fromUnixTimestamp64Milli({startDateMilliseconds:Int64})'),
          parameters: { startDateMilliseconds: String(t0) },
        },
      ],
    },
  ]);
});

it('another team’s connection and source look like missing ones (decisions F2)', async () => {
  const foreign = await api.connectionId(otherTenant);
  expect((await ask(tile('number', 'SELECT 1', { connectionId: foreign, sourceId: undefined }))).error?.code).toBe(
    'connection_not_found',
  );
  const source = await api.sourceId('log', otherTenant);
  expect((await ask(tile('number', 'SELECT 1', { sourceId: source }))).error?.code).toBe('source_not_found');
});

it('at a connection that a user made, its database user decides about tables; functions are the same', async () => {
  const engine = { runner: store.queryRunner, schemas: store.tableSchemas };
  const own = await ChartApi.over(engine, { remote: { open: async () => engine } });
  const id = 'c000000000000000000000aa';
  await own.parts.connections.insert(tenant.id, connectionOf({ id }));
  const asked = async (sqlTemplate: string) => {
    const config = { configType: 'sql', displayType: 'table', connectionId: id, sqlTemplate };
    const body = { startTime: t0, endTime: t0 + hourMs, tiles: [{ ref: 'a', tile: { config } }] };
    const { json } = await own.send('POST', '/charts/tiles', { body });
    const [answer] = (json as { data: TileAnswer[] }).data;
    return answer?.error?.message ?? answer?.rows;
  };
  expect(await asked('SELECT ServiceName FROM otel_other.otel_logs')).toEqual([['secret']]);
  expect(await asked("SELECT name FROM system.databases WHERE name = 'otel'")).toEqual([['otel']]);
  for (const call of ["file('/etc/passwd')", "url('http://127.0.0.1/')", "remote('127.0.0.1', system.one)"]) {
    expect(await asked(`SELECT * FROM ${call}`)).toContain('is not allowed');
  }
  expect(await asked('SELECT sleep(3)')).toContain('the function sleep is not allowed');
  expect(await asked('SELECT 1 SETTINGS max_threads = 1')).toContain('SETTINGS are not allowed');
});

it.each(['line', 'stacked_bar', 'stacked_line', 'table', 'number', 'pie', 'bar'] as const)(
  '%s: every macro and parameter',
  async (displayType) => {
    const calls: Readonly<Record<string, string>> = {
      dateFilter: '(toDate(Timestamp))',
      dateTimeFilter: '(toDate(Timestamp), Timestamp)',
      dt: '(toDate(Timestamp), Timestamp)',
      filter: '(ServiceName, $svc)',
      conditionalAll: "(ServiceName != '', $svc)",
    };
    const conditions = sqlMacros
      .map(({ name }) => name.slice('$__'.length))
      .filter((name) => name !== 'sourceTable')
      .map((name) => {
        const args = calls[name] ?? (/^time(Filter|Interval)/.test(name) ? '(Timestamp)' : '');
        return /time|interval_s/i.test(name) && !name.includes('Filter')
          ? `toString($__${name}${args}) != ''`
          : `$__${name}${args}`;
      });
    const parameters = ['startDateMilliseconds', 'endDateMilliseconds', 'intervalSeconds', 'intervalMilliseconds'];
    const all = [...conditions, ...parameters.map((name) => `{${name}:Int64} > 0`)];
    const tiles = all.map((condition) => {
      const sql = `SELECT $__timeInterval(Timestamp) AS ts, ServiceName, count() AS n FROM $__sourceTable WHERE ${condition} GROUP BY ts, ServiceName`;
      return { ref: condition, tile: tile(displayType, sql) };
    });
    const variables = [{ name: 'svc', values: ['api', 'web'] }];
    const body = { startTime: t0, endTime: t0 + 3 * hourMs, granularity: '1h', variables, tiles };
    const { json } = await api.send('POST', '/charts/tiles', { body });
    const failed = (json as { data: TileAnswer[] }).data.filter(
      ({ error, rows, series }) => error || !(rows?.length || series?.length),
    );
    expect(failed.map(({ ref, error }) => [ref, error])).toEqual([]);
  },
);
