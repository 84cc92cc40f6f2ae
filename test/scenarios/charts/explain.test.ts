import { beforeAll, describe, expect, it } from 'vitest';
import type { ExplainedRead } from '../../../src/contract/explain.ts';
import type { TileAnswer } from '../../../src/contract/tile-query.ts';
import type { CompiledQuery } from '../../../src/query/compiled-query.ts';
import type { RunOptions } from '../../../src/telemetry/ports.ts';
import { ChartApi, hourMs, t0 } from './chart-api.ts';
import { startStore } from './telemetry-rows.ts';

let api: ChartApi;
let logs: string;
let ran: CompiledQuery[] = [];

beforeAll(async () => {
  const engine = await startStore();
  await engine.client.command(
    `INSERT INTO otel.otel_logs (Timestamp, ServiceName, SeverityText, Body, LogAttributes)
    SELECT fromUnixTimestamp64Milli(${t0} + number * 5000), concat('service-', toString(number % 5)),
      if(number % 3 = 0, 'error', 'info'), toString(number), map('n', toString(number % 17))
    FROM numbers(1300)`,
    { timeoutMs: 60_000 },
  );
  const runner = {
    run: (compiled: CompiledQuery, options: RunOptions) => {
      if (options.name !== 'attribute query') ran.push(compiled);
      return engine.queryRunner.run(compiled, options);
    },
  };
  api = await ChartApi.over({ runner, schemas: engine.tableSchemas });
  logs = await api.sourceId('log');
});

const range = { startTime: t0, endTime: t0 + hourMs, granularity: '10m' };

async function chart(
  series: object[],
  more: object = {},
): Promise<Record<string, unknown> & { explain?: ExplainedRead[] }> {
  ran = [];
  const body = {
    ...range,
    series: series.map((each) => ({ sourceId: logs, where: '', groupBy: [], ...each })),
    ...more,
  };
  const answer = await api.post(body);
  expect(answer.status, answer.body).toBe(200);
  return (answer.json as { meta: Record<string, unknown> }).meta;
}

async function tiles(configs: object[]): Promise<TileAnswer[]> {
  ran = [];
  const made = configs.map((config, index) => ({ ref: `${index}`, tile: { config: { sourceId: logs, ...config } } }));
  const answer = await api.send('POST', '/charts/tiles', { body: { ...range, tiles: made, explain: true } });
  expect(answer.status, answer.body).toBe(200);
  return (answer.json as { data: TileAnswer[] }).data;
}

/** How many rows a statement reads depends on the parts of the table; the requested hour has 720. */
const rowsOf = (statements: readonly { rowsRead: number }[]) =>
  statements.reduce((sum, { rowsRead }) => sum + rowsRead, 0);

const average = { aggFn: 'avg', valueExpression: 'LogAttributes.n' };

describe('explain: true', () => {
  it('shows the statements that ran, as they ran, and what each of them cost', async () => {
    const meta = await chart([{ aggFn: 'avg', field: 'LogAttributes.n', groupBy: ['ServiceName'] }], { explain: true });
    expect(meta.explain).toMatchObject([{ source: 'Logs', series: [0], cachedBuckets: 0 }]);
    const statements = meta.explain?.flatMap((read) => read.statements) ?? [];
    expect(statements.map(({ sql, parameters }) => ({ sql, params: parameters }))).toEqual(
      ran.map(({ sql, params }) => ({ sql, params })),
    );
    expect(statements).toMatchObject([{ mechanism: 'single', queries: 1 }]);
    expect(statements.every(({ rowsRead }) => rowsRead >= 720)).toBe(true);
    expect(rowsOf(statements)).toBe(meta.rowsRead);
  });

  it('is absent if it was not requested', async () => {
    expect(await chart([{ aggFn: 'count' }])).not.toHaveProperty('explain');
    expect(await chart([{ aggFn: 'count' }], { explain: false })).not.toHaveProperty('explain');
  });

  it('shows a statement that ran in vain, and the one that took its place', async () => {
    const meta = await chart([{ aggFn: 'max', field: 'LogAttributes.n', groupBy: ['Body'] }], {
      explain: true,
      seriesLimit: 10,
    });
    const statements = meta.explain?.flatMap((read) => read.statements) ?? [];
    expect(statements.map(({ techniques }) => techniques.includes('topNLimit'))).toEqual([false, true]);
    expect(statements.map(({ sql }) => sql)).toEqual(ran.map(({ sql }) => sql));
    expect(statements.every(({ rowsRead }) => rowsRead >= 720)).toBe(true);
    expect(rowsOf(statements)).toBe(meta.rowsRead);
  });

  it('shows for each tile which statement it shared, and with how many', async () => {
    const answers = await tiles([
      { displayType: 'line', select: [average] },
      { displayType: 'line', select: [{ ...average, where: 'SeverityText:error' }] },
      { displayType: 'table', select: [average], groupBy: 'ServiceName' },
      { displayType: 'markdown', markdown: 'text' },
    ]);
    const mechanisms = answers.map(({ meta }) =>
      meta?.explain?.flatMap(({ statements }) => statements.map(({ mechanism, queries }) => [mechanism, queries])),
    );
    expect(mechanisms).toEqual([[['groupingSets', 3]], [['groupingSets', 3]], [['groupingSets', 3]], undefined]);
    expect(ran).toHaveLength(1);
  });

  it('is a yes or a no', async () => {
    const answer = await api.post({
      ...range,
      series: [{ sourceId: logs, aggFn: 'count', where: '', groupBy: [] }],
      explain: 'yes',
    });
    expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('explain')]);
  });
});
