import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TileAnswer } from '../../../src/contract/tile-query.ts';
import type { RunOptions } from '../../../src/telemetry/ports.ts';
import { ChartApi, hourMs, t0 } from './chart-api.ts';
import { startStore } from './telemetry-rows.ts';

let api: ChartApi;
let logs: string;
let traces: string;
const statements: string[] = [];

beforeAll(async () => {
  const engine = await startStore();
  await engine.client.command(
    `INSERT INTO otel.otel_logs (Timestamp, ServiceName, SeverityText, Body, LogAttributes)
    SELECT fromUnixTimestamp64Milli(${t0} + number * 5393), concat('service-', toString(number % 5)),
      if(number % 3 = 0, 'error', 'info'), concat('word', toString(number % 11)), if(number % 4 = 0, map('n', 'none'), map('n', toString(number % 17)))
    FROM numbers(1300)`,
    { timeoutMs: 60_000 },
  );
  await engine.client.command(
    `INSERT INTO otel.otel_traces (Timestamp, ServiceName, SpanName, Duration)
    SELECT fromUnixTimestamp64Milli(${t0} + number * 9973), 'api', concat('span ', toString(number % 3)), number * 1000 FROM numbers(500)`,
    { timeoutMs: 60_000 },
  );
  const runner = {
    run: (...args: [Parameters<typeof engine.queryRunner.run>[0], RunOptions]) => {
      statements.push(args[0].sql);
      return engine.queryRunner.run(...args);
    },
  };
  api = await ChartApi.over({ runner, schemas: engine.tableSchemas });
  logs = await api.sourceId('log');
  traces = await api.sourceId('trace');
});

async function ask(tiles: readonly unknown[]): Promise<TileAnswer[]> {
  const body = {
    startTime: t0 + 1234,
    endTime: t0 + 2 * hourMs + 4321,
    granularity: '10m',
    tiles: tiles.map((tile) => ({ ref: '', tile })),
  };
  statements.length = 0;
  const answer = await api.send('POST', '/charts/tiles', { body });
  if (answer.status !== 200) throw new Error(answer.body);
  return (answer.json as { data: TileAnswer[] }).data;
}

const withoutCost = ({ meta: _, ...answer }: TileAnswer) => answer;

const aggregates = [
  { aggFn: 'count' },
  { aggFn: 'avg', valueExpression: 'LogAttributes.n' },
  { aggFn: 'quantile', level: 0.9, valueExpression: 'LogAttributes.n' },
  { aggFn: 'count_distinct', valueExpression: 'Body' },
  { aggFn: 'last_value', valueExpression: 'LogAttributes.n' },
  { aggFn: 'min', valueExpression: 'LogAttributes.n' },
];
const wheres = [
  '',
  'SeverityText:error',
  'ServiceName:"service-1"',
  'LogAttributes.n:>5',
  'word3',
  'ServiceName:nobody',
];

const tile = fc
  .record({
    displayType: fc.constantFrom('line', 'stacked_bar', 'table', 'bar', 'number'),
    select: fc.array(fc.record({ aggregate: fc.constantFrom(...aggregates), where: fc.constantFrom(...wheres) }), {
      minLength: 1,
      maxLength: 3,
    }),
    groupBy: fc.constantFrom('', 'ServiceName', 'SeverityText, ServiceName', 'LogAttributes.n', 'lower(ServiceName)'),
    limit: fc.constantFrom(1, 2, 1000),
  })
  .map(({ displayType, select, groupBy, limit }) => {
    const items = select.map(({ aggregate, where }) => ({ ...aggregate, where }));
    const grouped = displayType !== 'number' && groupBy !== '' ? { groupBy } : {};
    const limited = displayType === 'line' || displayType === 'stacked_bar' ? { seriesLimit: limit } : {};
    const shown = displayType === 'bar' ? items.slice(0, 1) : displayType === 'number' ? items.slice(0, 1) : items;
    return { config: { displayType, sourceId: logs, select: shown, ...grouped, ...limited } };
  });

describe('tiles requested together', () => {
  it('have the same answers as each of them alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(tile, { minLength: 2, maxLength: 12 }), async (made) => {
        const tiles = made.map(({ config }) => ({ config: { ...config, sourceId: logs } }));
        const together = await ask(tiles);
        for (const [index, one] of tiles.entries()) {
          const [alone] = await ask([one]);
          if (!alone) throw new Error('no answer');
          expect(withoutCost(together[index] ?? alone)).toEqual(withoutCost(alone));
        }
      }),
      { numRuns: 10, seed: Number(process.env.SEED ?? Date.now() % 1_000_000) },
    );
  });

  it('read what they have in common once: other buckets, groups and filters are no reason for another statement', async () => {
    const config = (displayType: string, select: object[], change: object = {}) => ({
      config: { displayType, sourceId: logs, select, ...change },
    });
    const avg = { aggFn: 'avg', valueExpression: 'LogAttributes.n' };
    const answers = await ask([
      config('line', [avg]),
      config('line', [{ ...avg, where: 'SeverityText:error' }]),
      config('line', [avg], { groupBy: 'ServiceName' }),
      config('table', [avg, { aggFn: 'count' }], { groupBy: 'ServiceName' }),
      config('number', [avg]),
      config('line', [{ aggFn: 'count' }]),
      { config: { displayType: 'line', sourceId: traces, select: [{ aggFn: 'max', valueExpression: 'Duration' }] } },
    ]);
    expect(answers.filter(({ error }) => error)).toEqual([]);
    expect(statements).toHaveLength(2);
  });

  it('identical tiles are computed once', async () => {
    const config = { displayType: 'line', sourceId: traces, select: [{ aggFn: 'max', valueExpression: 'Duration' }] };
    const [first, ...others] = await ask(Array.from({ length: 20 }, () => ({ config })));
    expect(statements).toHaveLength(1);
    for (const other of others) expect(other).toEqual(first);
  });

  it('groups within the limit are read without it; if it was needed, it is used the next time', async () => {
    const by = (groupBy: string) => ({
      config: {
        displayType: 'line',
        sourceId: logs,
        select: [{ aggFn: 'max', valueExpression: 'LogAttributes.n' }],
        groupBy,
      },
    });
    const [few] = await ask([by('Body')]);
    expect(few?.meta).toMatchObject({ truncated: false });
    expect(statements.map((sql) => sql.includes('groups_total'))).toEqual([false]);
    const [many] = await ask([by('toString(Timestamp)')]);
    expect(many?.meta).toMatchObject({ truncated: true, groupsTotal: 1_299 });
    expect(statements.map((sql) => sql.includes('groups_total'))).toEqual([false, true]);
    const [again] = await ask([by('toString(Timestamp)')]);
    expect(statements.map((sql) => sql.includes('groups_total'))).toEqual([true]);
    expect(again?.series).toEqual(many?.series);
  });

  it('a text search is not combined if an index answers it', async () => {
    const count = (where: string) => ({
      config: {
        displayType: 'line',
        sourceId: logs,
        select: [{ aggFn: 'count_distinct', valueExpression: 'Body', where }],
      },
    });
    await ask([count('word3'), count(''), count('SeverityText:error')]);
    expect(statements).toHaveLength(2);
  });
});
