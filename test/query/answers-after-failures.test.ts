import { beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../src/contract/errors.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { ChartReader } from '../../src/resources/charts/answer/chart-reader.ts';
import { ChartService } from '../../src/resources/charts/answer/chart-service.ts';
import { UnseenAttributes } from '../../src/resources/charts/reading/unseen-attributes.ts';
import type { QueryRunner } from '../../src/telemetry/ports.ts';
import { ChartApi, hourMs, limits, minuteMs, noIntervals, t0, tenant } from '../scenarios/charts/chart-api.ts';
import { startStore } from '../scenarios/charts/telemetry-rows.ts';

/**
 * Each failing query leaves the engine with a partial result. Later and concurrent queries must be answered
 * as if nothing had been: byte for byte.
 */
const rounds = 25;
const logRows = 200_000;
let healthy: ChartApi;
const failures: [kind: string, fail: () => Promise<string>][] = [];

beforeAll(async () => {
  const { client, queryRunner: runner, tableSchemas: schemas } = await startStore();
  await client.command(
    `INSERT INTO otel.otel_logs (Timestamp, ServiceName, SeverityText, Body, LogAttributes)
    SELECT fromUnixTimestamp64Milli(${t0} + intDiv(number * ${hourMs}, ${logRows})), concat('service-', toString(number % 7)),
      if(number % 5 = 0, 'error', 'info'), concat('body ', toString(number)), map('n', toString(number % 1000))
    FROM numbers(${logRows})`,
    { timeoutMs: 60_000 },
  );
  const store = { runner, schemas };
  healthy = await ChartApi.over(store);
  const failing = async (kind: string, api: ChartApi) => {
    const body = { ...requestOf(await api.sourceId('log'), 0), series: heavySeries(await api.sourceId('log')) };
    failures.push([kind, async () => `${(await api.post(body)).status}`]);
  };
  await failing('504', await ChartApi.over(store, { limits: { timeoutMs: 4 } }));
  await failing('400', await ChartApi.over(store, { limits: { memoryBytesMax: 2_000_000 } }));
  await failing('400', await ChartApi.over(store, { limits: { resultRowsMax: 3 } }));
  for (const sql of brokenStatements)
    await failing('500', await ChartApi.over({ schemas, runner: instead(runner, sql) }));
  failures.push(['gone', () => hangUp()]);
});

/** Failures in mid-answer that no request can cause, in place of what the compiler made. */
const brokenStatements = [
  `SELECT number, toUInt8(concat(if(number > 70000, 'x', ''), '1')) AS v FROM numbers(500000)`,
  'SELECT number, throwIf(number = 70000) AS v FROM numbers(500000)',
  'SELECT no_such_function(number) AS v FROM numbers(10)',
];

function instead(runner: QueryRunner, sql: string): QueryRunner {
  return { run: (_, options) => runner.run({ sql, params: {}, settings: { max_block_size: 1000 } }, options) };
}

/** A client that goes away while its query runs. */
async function hangUp(): Promise<string> {
  const { readable, runner } = healthy.parts;
  const charts = new ChartService(
    new ChartReader({ sources: readable, runner, unseen: new UnseenAttributes(systemClock) }),
    noIntervals,
    limits.resultRowsMax,
  );
  const sourceId = await healthy.sourceId('log');
  const client = new AbortController();
  const answer = charts.query(tenant.id, { ...requestOf(sourceId, 0), series: heavySeries(sourceId) }, client.signal);
  setImmediate(() => client.abort());
  return answer.then(
    () => 'answered',
    (error: unknown) => (error instanceof AppError ? 'gone' : String(error)),
  );
}

function heavySeries(sourceId: string) {
  return [{ sourceId, aggFn: 'count_distinct' as const, field: 'Body', where: '', groupBy: ['Body'] }];
}

const where = ['', 'SeverityText:error', 'ServiceName:"service-3"', 'LogAttributes.n:>500'];

/** One of eight small charts. */
function requestOf(sourceId: string, which: number) {
  const aggregate = which % 2 === 0 ? { aggFn: 'count' as const } : { aggFn: 'sum' as const, field: 'LogAttributes.n' };
  return {
    startTime: t0 + which * 5 * minuteMs,
    endTime: t0 + (which * 5 + 5) * minuteMs,
    granularity: '1m',
    series: [{ sourceId, ...aggregate, where: where[which % 4] ?? '', groupBy: which > 3 ? ['ServiceName'] : [] }],
  };
}

async function answersOf(sourceId: string): Promise<string[]> {
  const all = Array.from({ length: 8 }, (_, which) => healthy.post(requestOf(sourceId, which)));
  // The rows, byte for byte; what they cost differs from run to run.
  return (await Promise.all(all)).map(({ status, body }) => `${status} ${body.slice(0, body.indexOf('"meta"'))}`);
}

describe('answers after failures', () => {
  it('a thousand answers after and beside failing queries of every kind are those of a quiet engine', async () => {
    const sourceId = await healthy.sourceId('log');
    const reference = await answersOf(sourceId);
    expect(reference.filter((text) => !text.startsWith('200 {"data":[{"ts_bucket"'))).toEqual([]);
    let compared = 0;
    for (let round = 0; compared < 1_000; round++) {
      const [kind, fail] = failures[round % failures.length] ?? [];
      if (!fail || round > 10 * rounds) throw new Error('no failure to inject');
      const [outcome, beside] = await Promise.all([fail(), answersOf(sourceId)]);
      expect(outcome).toBe(kind);
      expect(beside).toEqual(reference);
      compared += beside.length;
    }
  });
});
