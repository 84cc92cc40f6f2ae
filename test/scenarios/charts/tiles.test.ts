import { beforeAll, describe, expect, it } from 'vitest';
import type { TileAnswer } from '../../../src/contract/tile-query.ts';
import { ChartApi, hourMs, minuteMs, otherTenant, t0 } from './chart-api.ts';
import { insertRows, startStore } from './telemetry-rows.ts';

let api: ChartApi;
let logs: string;
let traces: string;

const log = (minute: number, ServiceName: string, SeverityText: string, amount = '') => ({
  TimestampMs: t0 + minute * minuteMs,
  ServiceName,
  SeverityText,
  Body: `${ServiceName} says ${SeverityText}`,
  LogAttributes: { amount },
});

beforeAll(async () => {
  const engine = await startStore();
  await insertRows(engine.client, 'otel.otel_logs', [
    log(-10, 'api', 'error', '1'),
    log(5, 'api', 'error', '10'),
    log(6, 'api', 'info', '20'),
    log(65, 'api', 'info', '30'),
    log(66, 'web', 'info', '40'),
    log(125, 'web', 'error', 'none'),
    log(126, 'db', 'info'),
  ]);
  api = await ChartApi.over({ runner: engine.queryRunner, schemas: engine.tableSchemas });
  logs = await api.sourceId('log');
  traces = await api.sourceId('trace');
});

const count = (change: object = {}) => ({ aggFn: 'count', ...change });
const line = (change: object = {}) => ({
  config: { displayType: 'line', sourceId: logs, select: [count()], ...change },
});

async function ask(tiles: unknown[], change: object = {}) {
  const body = {
    startTime: t0,
    endTime: t0 + 3 * hourMs,
    granularity: '1h',
    tiles: tiles.map((tile, index) => ({ ref: `tile ${index}`, tile })),
    ...change,
  };
  return api.send('POST', '/charts/tiles', { body });
}

async function answers(tiles: unknown[], change: object = {}): Promise<TileAnswer[]> {
  const answer = await ask(tiles, change);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body}`);
  return (answer.json as { data: TileAnswer[] }).data;
}

async function only(tile: unknown, change: object = {}): Promise<TileAnswer> {
  const [answer] = await answers([tile], change);
  if (!answer) throw new Error('no answer');
  return answer;
}

const valuesOf = ({ series = [] }: TileAnswer) =>
  series.map(({ name, group, points }) => [name, group, points.map(([, value]) => value)]);

describe('POST /charts/tiles: the forms of tiles', () => {
  it('line in config form: one series per group and value, every bucket filled', async () => {
    const answer = await only(line({ groupBy: 'ServiceName', numberFormat: { output: 'byte' } }));
    expect(answer).toEqual({
      ref: 'tile 0',
      displayType: 'line',
      granularity: '1h',
      granularityMs: hourMs,
      series: [
        ['api', 2, 1, 0],
        ['db', 0, 0, 1],
        ['web', 0, 1, 1],
      ].map(([group, ...values]) => ({
        name: 'count()',
        group: [group],
        select: 0,
        numberFormat: { output: 'byte' },
        points: values.map((value, hour) => [t0 + hour * hourMs, value]),
      })),
      meta: {
        rowsRead: expect.any(Number),
        bytesRead: expect.any(Number),
        elapsedMs: expect.any(Number),
        cache: expect.any(String),
        exact: true,
        truncated: false,
        groupsTotal: 3,
      },
    });
  });

  it('the same in series form', async () => {
    const series = [{ sourceId: logs, aggFn: 'count', where: '', groupBy: ['ServiceName'] }];
    const [config, form] = await answers([line({ groupBy: 'ServiceName' }), { series }]);
    expect({ ...form, ref: '' }).toEqual({ ...config, ref: '', meta: { ...config?.meta } });
  });

  it('fillNulls: false leaves empty buckets out; values of other aggregates than counts are null, never 0', async () => {
    const avg = { aggFn: 'avg', valueExpression: 'LogAttributes.amount', where: 'ServiceName:api' };
    expect(valuesOf(await only(line({ select: [avg] })))).toEqual([['avg(LogAttributes.amount)', [], [15, 30, null]]]);
    expect(valuesOf(await only(line({ select: [avg], fillNulls: false })))).toEqual([
      ['avg(LogAttributes.amount)', [], [15, 30]],
    ]);
  });

  it('groupBy is split at top-level commas', async () => {
    const answer = await only(line({ groupBy: "ServiceName, coalesce(SeverityText, ',')" }));
    expect(answer.series?.map(({ group }) => group)).toContainEqual(['api', 'error']);
  });

  it('table: groups left, values right, largest first; orderBy and having speak of the columns of the tile', async () => {
    const select = [count({ alias: 'Total' }), count({ alias: 'Errors', where: 'SeverityText:error' })];
    const table = (change: object = {}) => ({
      config: { displayType: 'table', sourceId: logs, select, groupBy: 'ServiceName', ...change },
    });
    const all = await answers([
      table(),
      table({ orderBy: 'Errors ASC, ServiceName DESC' }),
      table({ having: 'Total > 1 AND Errors < 2' }),
      table({ having: 'Nothing > 1' }),
      table({ orderBy: 'sleep(3) DESC' }),
    ]);
    expect(all[0]?.columns).toEqual([
      { name: 'ServiceName', kind: 'group' },
      { name: 'Total', kind: 'value' },
      { name: 'Errors', kind: 'value' },
    ]);
    expect(all[0]?.rows).toEqual([
      ['api', 3, 1],
      ['web', 2, 1],
      ['db', 1, 0],
    ]);
    expect(all[1]?.rows?.map(([name]) => name)).toEqual(['db', 'web', 'api']);
    expect(all[2]?.rows?.map(([name]) => name)).toEqual(['api', 'web']);
    expect(all[3]?.error).toEqual({
      code: 'query_invalid',
      path: 'config.having',
      position: 0,
      message: 'the tile has no column "Nothing"; it has "ServiceName", "Total", "Errors" (at position 0)',
    });
    expect(all[4]?.error).toMatchObject({ path: 'config.orderBy' });
  });

  it('number: one row, the value in the last column; a count of nothing is 0, a maximum of nothing is null', async () => {
    const number = (item: object) => ({ config: { displayType: 'number', sourceId: logs, select: [item] } });
    const max = { aggFn: 'max', valueExpression: 'LogAttributes.amount', alias: 'Most' };
    const all = await answers([
      number(max),
      number(count({ where: 'ServiceName:nobody' })),
      number({ ...max, where: 'ServiceName:nobody' }),
      { series: [{ type: 'number', sourceId: logs, aggFn: 'count', where: '' }] },
    ]);
    expect(all.map(({ columns, rows }) => [columns?.at(-1)?.name, rows])).toEqual([
      ['Most', [[40]]],
      ['count()', [[0]]],
      ['Most', [[null]]],
      ['count()', [[6]]],
    ]);
  });

  it('pie and bar: limit keeps the first rows and says that there are more', async () => {
    const pie = { displayType: 'pie', sourceId: logs, select: [count()], groupBy: 'ServiceName', limit: 2 };
    const [first, second] = await answers([{ config: pie }, { config: { ...pie, displayType: 'bar', limit: 0 } }]);
    expect(first?.rows).toEqual([
      ['api', 3],
      ['web', 2],
    ]);
    expect(first?.meta).toMatchObject({ truncated: true, groupsTotal: 3 });
    expect(second).toMatchObject({ displayType: 'bar', meta: { truncated: false } });
  });

  it('markdown: the text; search: the newest events with the columns of the tile', async () => {
    const search = {
      displayType: 'search',
      sourceId: logs,
      select: 'ServiceName, SeverityText AS level',
      where: 'error',
    };
    const all = await answers([
      { config: { displayType: 'markdown', markdown: '# Hi' } },
      { series: [{ type: 'markdown', content: 'old' }] },
      { config: search },
      { series: [{ type: 'search', sourceId: logs, fields: ['Body'], where: 'ServiceName:db' }] },
    ]);
    expect(all.map(({ content }) => content)).toEqual(['# Hi', 'old', undefined, undefined]);
    expect(all[2]).toMatchObject({
      displayType: 'search',
      columns: [{ name: 'ServiceName' }, { name: 'level' }],
      rows: [
        ['web', 'error'],
        ['api', 'error'],
      ],
    });
    expect(all[3]?.rows).toEqual([['db says info']]);
  });

  it('seriesLimit: the largest groups, and how many there are', async () => {
    const answer = await only(line({ groupBy: 'ServiceName', seriesLimit: 1 }));
    expect(answer.series?.map(({ group }) => group)).toEqual([['api']]);
    expect(answer.meta).toMatchObject({ truncated: true, groupsTotal: 3 });
  });

  it('asRatio: the ratio alone, or with its operands', async () => {
    const select = [count({ alias: 'errors', where: 'SeverityText:error' }), count({ alias: 'all' })];
    expect(valuesOf(await only(line({ select, asRatio: true })))).toEqual([['errors / all', [], [0.5, 0, 0.5]]]);
    const shown = await only(line({ select, asRatio: true, showOperandSeries: true }));
    expect(shown.series?.map(({ name, select: which }) => [name, which])).toEqual([
      ['errors', 0],
      ['all', 1],
      ['errors / all', 2],
    ]);
  });

  it('compareToPreviousPeriod: the values before, marked and moved to the times of now', async () => {
    const { series = [] } = await only(line({ compareToPreviousPeriod: true }));
    expect(series.map(({ previous = false, points }) => [previous, points])).toEqual([
      [false, [2, 2, 2].map((value, hour) => [t0 + hour * hourMs, value])],
      [true, [0, 0, 1].map((value, hour) => [t0 + hour * hourMs, value])],
    ]);
  });
});

describe('formulas (contract §2.3)', () => {
  const select = [count({ where: 'SeverityText:error' }), count()];
  const formula = (expression: string, change: object = {}) =>
    line({ select, formulas: [{ expression, alias: 'F', ...change }] });

  it('replace their operands, which showOperandSeries shows too', async () => {
    const shown = { ...formula('A / B * 100').config, showOperandSeries: true };
    const all = await answers([formula('A / B * 100'), { config: shown }]);
    expect(valuesOf(all[0] as TileAnswer)).toEqual([['F', [], [50, 0, 50]]]);
    expect(all[1]?.series?.map(({ name, select: which }) => [name, which])).toEqual([
      ['count()', 0],
      ['count()', 1],
      ['F', 2],
    ]);
  });

  it('null where a divisor is 0 or an operand is missing', async () => {
    const avg = { aggFn: 'avg', valueExpression: 'LogAttributes.amount' };
    const all = await answers([formula('B / A'), line({ select: [avg], formulas: [{ expression: '-A + 1' }] })]);
    expect(all.flatMap(valuesOf)).toEqual([
      ['F', [], [2, null, 2]],
      ['-A + 1', [], [-14, -34, null]],
    ]);
  });

  it('of a number tile: the value is the formula', async () => {
    const config = {
      displayType: 'number',
      sourceId: logs,
      select,
      formulas: [{ expression: 'B - A', alias: 'Fine' }],
    };
    expect(await only({ config })).toMatchObject({ columns: [{ name: 'Fine' }], rows: [[4]] });
  });

  it('that can’t be read are rejected with path and position', async () => {
    expect((await only(formula('A + C'))).error).toEqual({
      code: 'query_invalid',
      path: 'config.formulas.0.expression',
      position: 4,
      message: 'there is no C; the select items are A to B (at position 4)',
    });
  });
});

describe('what surrounds the tiles', () => {
  it('filters and where narrow every tile, values are compared as text, and a filter may be for one source', async () => {
    const number = { config: { displayType: 'number', sourceId: logs, select: [count()] } };
    const rowsWith = async (change: object) => (await only(number, change)).rows;
    expect(await rowsWith({ where: 'SeverityText:error' })).toEqual([[2]]);
    expect(await rowsWith({ where: "SeverityText = 'error'", whereLanguage: 'sql' })).toEqual([[2]]);
    expect(await rowsWith({ filters: [{ type: 'sql', condition: "ServiceName = 'api'" }] })).toEqual([[3]]);
    expect(await rowsWith({ filters: [{ expression: 'ServiceName', values: ['web', "d'b", 'db'] }] })).toEqual([[3]]);
    expect(await rowsWith({ filters: [{ sourceId: traces, condition: 'ServiceName:api' }] })).toEqual([[6]]);
    expect(await rowsWith({ filters: [{ sourceId: logs, condition: 'ServiceName:api' }], where: 'error' })).toEqual([
      [1],
    ]);
  });

  it('a filter holds for search tiles too', async () => {
    const search = { config: { displayType: 'search', sourceId: logs, select: 'Body' } };
    expect((await only(search, { where: 'ServiceName:db' })).rows).toEqual([['db says info']]);
  });

  it('one tile that is wrong does not fail the others, and says where it is wrong', async () => {
    const all = await answers([
      line(),
      line({ select: [count({ where: 'ServiceName:(' })] }),
      line({ sourceId: 'a00000000000000000000000' }),
      { config: { displayType: 'line', sourceId: logs, select: [] } },
      { config: { displayType: 'spiral' } },
      line({ select: [{ aggFn: 'avg', valueExpression: 'Nope.x.y(' }] }),
      line({ select: [count(), count({ periodAggFn: 'delta' })] }),
      {},
    ]);
    expect(all.map(({ error }) => error?.path ?? error?.code)).toEqual([
      undefined,
      'config.select.0.where',
      'source_not_found',
      'query_invalid',
      'query_invalid',
      'config.select.0.valueExpression',
      'config.select.1.periodAggFn',
      'query_invalid',
    ]);
  });

  it('tiles whose filters exceed one request are to be sent in another, and the others are answered', async () => {
    const long = (seed: number) =>
      line({ where: `seed${seed} OR ${'api OR '.repeat(1_300)}web`, whereLanguage: 'lucene' });
    const all = await answers([line(), long(1), long(2), long(3), line()]);
    const tooLong = { code: 'query_invalid', message: expect.stringContaining('ask for this tile in another request') };
    expect(all.map(({ error }) => error)).toEqual([undefined, undefined, undefined, tooLong, undefined]);
    expect((await only(long(3))).error).toBeUndefined();
  });

  it('another tenant’s source looks like a missing one (decisions F2)', async () => {
    const foreign = await api.sourceId('log', otherTenant);
    expect((await only(line({ sourceId: foreign }))).error).toMatchObject({ code: 'source_not_found' });
  });

  it('a request without a sensible range or granularity is rejected as a whole, in both keys (decisions F5)', async () => {
    const answer = await ask([line()], { endTime: t0 });
    expect([answer.status, answer.json]).toEqual([
      400,
      { message: 'endTime: must be later than startTime.', error: 'endTime: must be later than startTime.' },
    ]);
    expect((await ask([line()], { granularity: 'soon' })).status).toBe(400);
    expect((await ask([])).status).toBe(400);
  });

  it('event patterns are a table of what the events say', async () => {
    const answer = await only({ config: { displayType: 'event_patterns', sourceId: logs, where: 'ServiceName:api' } });
    expect(answer.columns?.map(({ name }) => name)).toEqual(['Pattern', 'Events', 'Share', 'Example']);
    expect(answer.rows).toEqual([['api says <*>', 3, 1, expect.stringMatching(/^api says (error|info)$/)]]);
    expect(answer.meta).toMatchObject({ exact: true, truncated: false });
    const levels = { displayType: 'event_patterns', sourceId: logs, select: 'SeverityText' };
    expect((await only({ config: levels })).rows?.map(([pattern]) => pattern)).toEqual(['info', 'error']);
    expect((await only({ config: { ...levels, select: 'Body, SeverityText' } })).error).toMatchObject({
      path: 'config.select',
    });
  });
});
