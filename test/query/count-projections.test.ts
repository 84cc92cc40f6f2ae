import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ChartQuery, TimeRange } from '../../src/query/chart-query.ts';
import { compileChart } from '../../src/query/compile-chart.ts';
import type { EventSourceSchema } from '../../src/query/source-schema.ts';
import { openEngine, type TestEngine } from '../support/start-engine.ts';
import {
  chart,
  guardsFor,
  insertRows,
  logSource,
  makeDatabase,
  minute,
  type Row,
  rowsOf,
  T0,
  traceSource,
} from './telemetry-fixture.ts';

const database = 'otel_count_tests';
const rowsOfHour = 100_000;
const rowsAfterwards = 5_000;
const instantOf = `fromUnixTimestamp64Nano(1000000 * toInt64(${T0} + if(number < ${2 * rowsOfHour},
  intDiv(number * ${120 * minute}, ${2 * rowsOfHour}),
  ${120 * minute} + intDiv((number - ${2 * rowsOfHour}) * ${600 * minute}, ${rowsAfterwards}))) + if(number % 7 = 0, 999999, 0), 'UTC')`;
let engine: TestEngine;
let projected: EventSourceSchema;
let raw: EventSourceSchema;
let spans: EventSourceSchema;
let rawSpans: EventSourceSchema;

beforeAll(async () => {
  engine = await openEngine();
  await makeDatabase(engine, database);
  projected = await logSource(engine, database);
  raw = withoutProjections(projected);
  spans = await traceSource(engine, database);
  rawSpans = withoutProjections(spans);
  // Two hours, unevenly, with rows on the very first and last nanosecond of minutes, and ten thinner ones; TimestampTime
  // is left to its default.
  await engine.client.command(
    `INSERT INTO ${database}.otel_logs (Timestamp, ServiceName, SeverityText, Body)
     SELECT ${instantOf},
       ['a', 'b', ''][1 + intHash32(number) % 3], ['info', 'error'][1 + intHash32(number + 1) % 2], 'x'
     FROM numbers(${2 * rowsOfHour + rowsAfterwards})`,
    { timeoutMs: 30_000 },
  );
  await engine.client.command(
    `INSERT INTO ${database}.otel_traces (Timestamp, ServiceName, StatusCode, SpanName, Duration)
     SELECT ${instantOf},
       ['a', 'b', ''][1 + intHash32(number) % 3], ['Ok', 'Error', 'Unset'][1 + intHash32(number + 1) % 3], 'x', 1
     FROM numbers(${2 * rowsOfHour + rowsAfterwards})`,
    { timeoutMs: 30_000 },
  );
  const edges = [0, 1, 59_999, 60_000, 60_001].flatMap((ms) => [T0 + ms, T0 + 30 * minute + ms]);
  await insertRows(
    engine,
    database,
    'otel_logs',
    edges.map((Timestamp): Row => ({ Timestamp, ServiceName: 'edge', SeverityText: 'info', Body: 'x' })),
  );
  await insertRows(
    engine,
    database,
    'otel_traces',
    edges.map((Timestamp): Row => ({ Timestamp, ServiceName: 'edge', StatusCode: 'Ok', SpanName: 'x' })),
  );
});

function withoutProjections(source: EventSourceSchema): EventSourceSchema {
  const { projections: _projections, ...table } = source.table;
  return { ...source, table };
}

async function answer(query: ChartQuery, source: EventSourceSchema): Promise<{ rows: Row[]; rowsRead: number }> {
  const compiled = compileChart(query, source, guardsFor(database));
  const result = await engine.queryRunner.run(compiled, { queryClass: 'interactive', timeoutMs: 30_000 });
  return { rows: rowsOf(result), rowsRead: result.rowsRead };
}

const usesProjection = (query: ChartQuery, source = projected): boolean =>
  compileChart(query, source, guardsFor(database)).sql.includes('bucket_rows');
const hour: TimeRange = { startMs: T0, endMs: T0 + 60 * minute };

describe('counts of logs by service and severity come from the projections of minutes and hours', () => {
  const requests: Record<string, ChartQuery> = {
    count: chart({}, { range: hour, granularityMs: 5 * minute }),
    'groups and a filter': chart(
      { where: 'SeverityText:error' },
      { range: hour, granularityMs: minute, groupBy: ['ServiceName'] },
    ),
    'two series': chart([{ where: 'SeverityText:error' }, {}], { range: hour, granularityMs: 10 * minute }),
    'one bucket': chart({}, { range: hour }),
    'one bucket, groups': chart({}, { range: hour, groupBy: ['SeverityText'] }),
    'a group by a key that the filter does not name': chart(
      { where: 'ServiceName:a' },
      { range: hour, granularityMs: 10 * minute, groupBy: ['SeverityText'] },
    ),
    'the window of an alert': chart({}, { range: hour, granularityMs: 60 * minute, bucketOriginMs: T0 }),
  };

  it.each(Object.entries(requests))('%s: the same answer from a tenth of the rows', async (_, query) => {
    const [fast, slow] = [await answer(query, projected), await answer(query, raw)];
    expect(fast.rows).toEqual(slow.rows);
    expect(fast.rows.length).toBeGreaterThan(0);
    expect(fast.rowsRead).toBeLessThan(rowsOfHour / 10);
  });

  it('nothing in the range is no bucket, with and without a granularity', async () => {
    const range = { startMs: T0 + 2_000 * minute, endMs: T0 + 2_100 * minute };
    for (const query of [chart({}, { range }), chart({}, { range, granularityMs: minute })]) {
      expect(usesProjection(query)).toBe(true);
      expect((await answer(query, projected)).rows).toEqual([]);
    }
  });

  it('hours come from the projection of hours, the minutes at their edges from that of minutes', async () => {
    const range = { startMs: T0 + 17 * minute + 1, endMs: T0 + 11 * 60 * minute + 20.5 * minute };
    const query = chart([{}, { where: 'SeverityText:error' }], { range, granularityMs: 120 * minute });
    const { sql } = compileChart(query, projected, guardsFor(database));
    expect([...sql.matchAll(/toStartOf(Hour|Minute)\(src\.`\w+`(?:, 'UTC')?\) >=/g)].map(([, unit]) => unit)).toEqual([
      'Hour',
      'Minute',
      'Minute',
    ]);
    expect((await answer(query, projected)).rows).toEqual((await answer(query, raw)).rows);
  });

  it('whole hours alone are a thousandth of the rows', async () => {
    const query = chart({}, { range: { startMs: T0, endMs: T0 + 12 * 60 * minute }, granularityMs: 60 * minute });
    const fast = await answer(query, projected);
    expect(fast.rows).toEqual((await answer(query, raw)).rows);
    expect(fast.rowsRead).toBeLessThan(rowsOfHour / 100);
  });

  it('minutes that the range cuts are read raw, and only those', async () => {
    const range = { startMs: T0 + 1, endMs: T0 + 119 * minute + 30_001 };
    const query = chart({}, { range, granularityMs: minute });
    const [fast, slow] = [await answer(query, projected), await answer(query, raw)];
    expect(fast.rows).toEqual(slow.rows);
    expect(fast.rowsRead).toBeLessThan(slow.rowsRead / 2);
  });

  it.each<[string, ChartQuery]>([
    ['buckets of half minutes', chart({}, { granularityMs: 30_000 })],
    ['buckets that start within a minute', chart({}, { granularityMs: 5 * minute, bucketOriginMs: 1_000 })],
    ['another column in the filter', chart({ where: 'Body:x' })],
    ['an attribute in the groups', chart({}, { groupBy: ['http.route'] })],
    ['another aggregate', chart([{}, { aggregate: 'count_distinct', field: 'ServiceName' }])],
    ['few minutes between two cut ones', chart({}, { range: { startMs: T0 + 1, endMs: T0 + 10 * minute } })],
    ['less than a minute', chart({}, { range: { startMs: T0 + 1, endMs: T0 + 2 } })],
    ['a time before 1970', chart({}, { range: { startMs: -minute, endMs: T0 } })],
    ['a time after 2106', chart({}, { range: { startMs: T0, endMs: 4_294_967_296_001 } })],
  ])('%s: read as ever', (_, query) => expect(usesProjection(query)).toBe(false));

  it('a source that filters on other columns, and a table without the projection: read as ever', () => {
    const sqlOf = (source: EventSourceSchema) => compileChart(chart({}), source, guardsFor(database)).sql;
    expect(sqlOf({ ...projected, filter: "Body != ''" })).not.toContain('bucket_rows');
    expect(sqlOf(raw)).not.toContain('bucket_rows');
    expect(sqlOf({ ...projected, filter: "ServiceName != 'b'" })).toContain('bucket_rows');
  });

  const instant = fc.oneof(
    fc.integer({ min: -2, max: 122 }).map((minutes) => T0 + minutes * minute),
    fc.integer({ min: T0 - minute, max: T0 + 121 * minute }),
    fc.integer({ min: -1, max: 13 }).map((hours) => T0 + hours * 60 * minute),
    fc.integer({ min: T0 + 600 * minute, max: T0 + 730 * minute }),
  );
  const request = (groups: string[], filters: string[]) =>
    fc.record({
      bounds: fc.tuple(instant, instant).filter(([a, b]) => Math.abs(a - b) >= 12 * minute),
      granularityMs: fc.constantFrom(undefined, minute, 5 * minute, 7 * minute, 60 * minute),
      origin: fc.constantFrom(0, T0, 3 * minute),
      groupBy: fc.subarray(groups),
      wheres: fc.array(fc.constantFrom(...filters), { minLength: 1, maxLength: 3 }),
      own: fc.constantFrom(undefined, "ServiceName != 'b'"),
    });
  const services = ['', '-ServiceName:a', 'ServiceName:(a OR b)', 'ServiceName:edge'];

  it.each([
    ['logs', ['ServiceName', 'SeverityText', 'upper(ServiceName)'], [...services, 'SeverityText:error']],
    ['spans', ['ServiceName', 'StatusCode', 'upper(StatusCode)'], [...services, 'StatusCode:Error']],
  ])('%s: over random ranges, buckets, groups and filters the answer is that of the raw rows', async (...each) => {
    const [rows, groups, filters] = each;
    const [counted, plain] = rows === 'logs' ? [projected, raw] : [spans, rawSpans];
    await fc.assert(
      fc.asyncProperty(request(groups, filters), async ({ bounds, granularityMs, origin, groupBy, wheres, own }) => {
        const query = chart(
          wheres.map((where) => ({ where })),
          {
            range: { startMs: Math.min(...bounds), endMs: Math.max(...bounds) },
            ...(granularityMs !== undefined && { granularityMs }),
            bucketOriginMs: origin,
            groupBy,
          },
        );
        expect(usesProjection(query, counted)).toBe(true);
        const filtered = own === undefined ? {} : { filter: own };
        const [fast, slow] = [
          await answer(query, { ...counted, ...filtered }),
          await answer(query, { ...plain, ...filtered }),
        ];
        expect(fast.rows).toEqual(slow.rows);
      }),
      { numRuns: 40 },
    );
  });
});

describe('counts of spans by service and status come from the projections of minutes and hours', () => {
  const requests: Record<string, ChartQuery> = {
    count: chart({}, { range: hour, granularityMs: 5 * minute }),
    'errors and all by service': chart([{ where: 'StatusCode:Error' }, {}], {
      range: hour,
      granularityMs: 10 * minute,
      groupBy: ['ServiceName'],
    }),
    'one bucket of one status': chart({ where: 'StatusCode:Error' }, { range: hour }),
  };

  it.each(Object.entries(requests))('%s: the same answer from a tenth of the rows', async (_, query) => {
    const [fast, slow] = [await answer(query, spans), await answer(query, rawSpans)];
    expect(fast.rows).toEqual(slow.rows);
    expect(fast.rows.length).toBeGreaterThan(0);
    expect(fast.rowsRead).toBeLessThan(rowsOfHour / 10);
  });

  it.each<[string, ChartQuery]>([
    ['a filter on the duration', chart({ where: 'Duration:>5' })],
    ['groups by span name', chart({}, { groupBy: ['SpanName'] })],
    ['another aggregate', chart({ aggregate: 'max', field: 'Duration' })],
  ])('%s: read as ever', (_, query) => expect(usesProjection(query, spans)).toBe(false));

  it('sampled spans count with their weight: read from the events', () => {
    const columns = new Map([...spans.table.columns, ['SampleRate', 'UInt64'] as const]);
    const sampled = { ...spans, sampleRate: 'SampleRate', table: { ...spans.table, columns } };
    expect(usesProjection(chart({}), sampled)).toBe(false);
  });
});
